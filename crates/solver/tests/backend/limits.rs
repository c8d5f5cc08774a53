//! Queries that would run for ever end at their limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fathom_expr::{ExprId, Pool};
use fathom_solver::backend::{Backend, Bitwuzla, Budget};
use fathom_solver::{Answer, Failure};

use super::{backends, bitwuzla, unknown};

/// How late a query may end on a machine that others use too.
const LATENESS: Duration = Duration::from_secs(5);

/// Two factors of a product of two primes near 2^32.
fn factorisation(pool: &mut Pool) -> Vec<ExprId> {
    let (a, b) = (unknown(pool, "a", 64), unknown(pool, "b", 64));
    let product = pool.mul(a, b);
    let wanted = pool.constant(64, 3_266_489_917 * 2_654_435_761);
    let one = pool.constant(64, 1);
    let limit = pool.constant(64, 1 << 32);
    vec![
        pool.ult(one, a),
        pool.ult(one, b),
        pool.ult(a, limit),
        pool.ult(b, limit),
        pool.eq(product, wanted),
    ]
}

/// Products upon products: translating it takes longer than the limit.
fn huge(pool: &mut Pool, n_products: usize) -> Vec<ExprId> {
    let (mut a, b) = (unknown(pool, "a", 128), unknown(pool, "b", 128));
    for n in 0..n_products {
        let step = pool.constant(128, n as u64 | 1);
        let factor = pool.add(b, step);
        a = pool.mul(a, factor);
        let divisor = pool.xor(a, factor);
        a = pool.urem(a, divisor);
    }
    let wanted = pool.constant(128, 12_345_678_910_111_213);
    vec![pool.eq(a, wanted)]
}

fn assert_ends(started: Instant, limit: Duration, answer: Result<Answer, Failure>) {
    let elapsed = started.elapsed();
    assert_eq!(answer.err(), Some(Failure::Timeout));
    assert!(elapsed < limit + LATENESS, "ended after {elapsed:?} instead of {limit:?}");
}

#[test]
fn a_hard_query_ends_at_the_deadline() {
    for limit in [50, 300].map(Duration::from_millis) {
        let mut pool = Pool::new();
        let query = factorisation(&mut pool);
        for mut backend in backends() {
            let started = Instant::now();
            let answer = backend.solve(&mut pool, &query, Budget::time(limit));
            assert_ends(started, limit, answer);
        }
    }
}

#[test]
fn a_huge_query_ends_at_the_deadline() {
    let mut pool = Pool::new();
    let query = huge(&mut pool, 200);
    let limit = Duration::from_millis(200);
    let started = Instant::now();
    let answer = bitwuzla().solve(&mut pool, &query, Budget::time(limit));
    assert_ends(started, limit, answer);
}

#[test]
fn steps_end_a_query() {
    let mut pool = Pool::new();
    let query = factorisation(&mut pool);
    let answer = bitwuzla().solve(&mut pool, &query, Budget::steps(1000));
    assert_eq!(answer.err(), Some(Failure::Timeout));
}

#[test]
fn a_query_ends_when_told_to_from_outside() {
    for query in [factorisation, |pool: &mut Pool| huge(pool, 200)] {
        let interrupt = Arc::new(AtomicBool::new(false));
        let delay = Duration::from_millis(100);
        let flag = interrupt.clone();
        let mut pool = Pool::new();
        let query = query(&mut pool);
        let started = Instant::now();
        let waker = thread::spawn(move || {
            thread::sleep(delay);
            flag.store(true, Ordering::Relaxed);
        });
        let budget = Budget::time(Duration::from_secs(30));
        let answer = Bitwuzla::new(interrupt).solve(&mut pool, &query, budget);
        // A flag that goes up while a query is translated is seen after that.
        assert_ends(started, delay + Duration::from_millis(500), answer);
        waker.join().expect("the thread only sleeps");
    }
}

/// After a query that failed, the backend answers the next ones.
#[test]
fn a_failure_leaves_no_trace() {
    let mut pool = Pool::new();
    let mut backend = bitwuzla();
    let hard = factorisation(&mut pool);
    let budget = Budget::time(Duration::from_millis(50));
    assert!(backend.solve(&mut pool, &hard, budget).is_err());
    let easy = &hard[..4];
    assert!(backend.solve(&mut pool, easy, super::ample()).is_ok_and(|answer| answer.is_sat()));
}
