//! What the engine's 64-bit slots must simplify to.

use crate::{Model, Pool, Var};

#[test]
fn narrow_arithmetic_in_slots_stays_narrow() {
    let mut pool = Pool::new();
    let input = pool.input("in", 8);
    let bytes: Vec<_> = (0..8).map(|n| pool.byte(input, n)).collect();
    let word = |pool: &mut Pool, from: usize| {
        let joined = pool.concat(bytes[from + 1], bytes[from]);
        let joined = pool.concat(bytes[from + 2], joined);
        pool.concat(bytes[from + 3], joined)
    };
    let (a, b) = (word(&mut pool, 0), word(&mut pool, 4));
    let (slot_a, slot_b) = (pool.zext(a, 64), pool.zext(b, 64));
    let sum = pool.add(slot_a, slot_b);
    let low = pool.extract(sum, 0, 32);
    assert_eq!(low, pool.add(a, b));
    let stored: Vec<_> = (0..4).map(|n| pool.extract(low, 8 * n, 8)).collect();
    let mut loaded = stored[0];
    for &byte in &stored[1..] {
        loaded = pool.concat(byte, loaded);
    }
    assert_eq!(loaded, low);
    let five = pool.constant(64, 5);
    let model: Model = [(Var(0), 5)].into_iter().collect();
    let equal = pool.eq(slot_a, five);
    assert!(pool.eval_bool(equal, &model));
    let bytewise: Vec<_> = bytes[..4].to_vec();
    let five = pool.constant(8, 5);
    let zero = pool.constant(8, 0);
    let mut expected = pool.eq(bytewise[0], five);
    for &byte in &bytewise[1..] {
        let is_zero = pool.eq(byte, zero);
        expected = pool.and(is_zero, expected);
    }
    assert_eq!(pool.display(equal).to_string(), pool.display(expected).to_string());
}
