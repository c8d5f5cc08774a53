//! Path conditions: slices, domains, sharing between clones.

use crate::random::Scene;
use fathom_expr::{ExprId, Pool, Var};
use fathom_solver::PathCondition;

fn bytes(pool: &mut Pool, n: u32) -> Vec<ExprId> {
    let input = pool.input("in", n);
    (0..n).map(|offset| pool.byte(input, offset)).collect()
}

fn vars_of_slices(path: &PathCondition) -> Vec<Vec<u32>> {
    path.slices().map(|slice| slice.bytes().iter().map(|byte| byte.var.0).collect()).collect()
}

#[test]
fn slices_grow_together_and_clones_do_not_notice() {
    let mut pool = Pool::new();
    let b = bytes(&mut pool, 40);
    let mut path = PathCondition::new();
    let less = pool.ult(b[0], b[1]);
    path.add(&mut pool, less);
    let other = pool.ult(b[20], b[30]);
    path.add(&mut pool, other);
    assert_eq!(vars_of_slices(&path).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    let before = path.clone();
    let bridge = pool.ult(b[1], b[30]);
    path.add(&mut pool, bridge);
    assert_eq!(vars_of_slices(&path), [[0, 1, 20, 30]]);
    assert_eq!(vars_of_slices(&before).len(), 2);
    assert_eq!(path.constraints().collect::<Vec<_>>(), [less, other, bridge]);
    path.add(&mut pool, bridge);
    assert_eq!(path.len(), 3);
    assert!(path.contains(&mut pool, other) && !before.contains(&mut pool, bridge));
}

#[test]
fn a_condition_on_one_byte_narrows_its_domain() {
    let mut pool = Pool::new();
    let b = bytes(&mut pool, 2);
    let mut path = PathCondition::new();
    let ten = pool.constant(8, 10);
    let twenty = pool.constant(8, 20);
    let low = pool.ult(b[0], twenty);
    let high = pool.ult(ten, b[0]);
    let both = pool.and(low, high);
    path.add(&mut pool, both);
    assert_eq!(path.domain(Var(0)).runs().collect::<Vec<_>>(), [(11, 19)]);
    assert_eq!(path.len(), 2);
    path.add(&mut pool, low);
    assert_eq!(path.len(), 2, "nothing new");
    let neither = pool.not(low);
    path.add(&mut pool, neither);
    assert!(path.is_contradiction());
}

#[test]
fn slices_say_what_the_constraints_say() {
    for seed in 0..40 {
        let mut scene = Scene::new(seed, 3);
        let path = scene.path(12, 3);
        if path.is_contradiction() {
            assert!(scene.models(&path).is_empty());
            continue;
        }
        for model in scene.models(&path) {
            for slice in path.slices() {
                assert!(slice.bytes().iter().all(|byte| byte.domain.contains(model.get(byte.var))));
                assert!(
                    slice
                        .constraints()
                        .iter()
                        .all(|&constraint| scene.pool.eval_bool(constraint, &model))
                );
            }
        }
    }
}

#[test]
fn what_a_path_excludes_has_no_model() {
    let mut excluded = 0;
    for seed in 0..200 {
        let mut scene = Scene::new(seed, 3);
        let path = scene.path(6, 3);
        if path.is_contradiction() {
            continue;
        }
        let condition = scene.condition();
        let mut extended = path.clone();
        extended.add(&mut scene.pool, condition);
        let is_excluded = path.excludes(&mut scene.pool, condition);
        assert!(is_excluded || !extended.is_contradiction(), "adding it shows more");
        assert!(!is_excluded || scene.models(&extended).is_empty());
        excluded += u32::from(is_excluded);
    }
    assert!(excluded > 10, "only {excluded} of 200");
}

#[test]
fn what_says_nothing_new_leaves_the_opposite_no_model() {
    let mut nothing_new = 0;
    for seed in 0..200 {
        let mut scene = Scene::new(seed, 3);
        let path = scene.path(6, 3);
        if path.is_contradiction() {
            continue;
        }
        let condition = scene.condition();
        let mut extended = path.clone();
        match extended.extend(&mut scene.pool, condition) {
            Some(before) => {
                assert!(before.constraints().eq(path.constraints()));
                assert_eq!(scene.models(&before), scene.models(&path));
            }
            None => {
                let mut opposite = path.clone();
                let not = scene.pool.not(condition);
                opposite.add(&mut scene.pool, not);
                assert!(scene.models(&opposite).is_empty());
                assert!(extended.constraints().eq(path.constraints()));
                nothing_new += 1;
            }
        }
        let mut added = path.clone();
        added.add(&mut scene.pool, condition);
        assert_eq!(scene.models(&extended), scene.models(&added));
    }
    assert!(nothing_new > 10, "only {nothing_new} of 200");
}

#[test]
fn one_of_several_that_is_known_is_enough() {
    let mut pool = Pool::new();
    let b = bytes(&mut pool, 3);
    let mut path = PathCondition::new();
    let ten = pool.constant(8, 10);
    let [low, also_low] = [b[0], b[1]].map(|byte| pool.ult(byte, ten));
    let less = pool.ult(b[1], b[2]);
    path.add(&mut pool, low);
    let known = pool.or(less, low);
    let unknown = pool.or(less, also_low);
    assert!(path.extend(&mut pool, known).is_none());
    assert!(path.extend(&mut pool, unknown).is_some_and(|before| before.len() == 1));
    assert_eq!(path.constraints().collect::<Vec<_>>(), [low, unknown]);
}

#[test]
fn what_follows_is_remembered_by_the_path_and_by_no_older_one() {
    let mut pool = Pool::new();
    let b = bytes(&mut pool, 4);
    let mut path = PathCondition::new();
    let (less, more) = (pool.ult(b[0], b[1]), pool.ult(b[1], b[2]));
    path.add(&mut pool, less);
    path.add(&mut pool, more);
    let before = path.clone();
    let chain = pool.ult(b[0], b[2]);
    let apart = pool.ne(b[0], b[2]);
    let both = pool.and(chain, apart);
    path.learn(&mut pool, both);
    assert!([chain, apart, both].iter().all(|&it| path.contains(&mut pool, it)));
    assert!(!before.contains(&mut pool, chain));
    let not = pool.not(chain);
    assert!(path.excludes(&mut pool, not) && path.len() == 2);
}

#[test]
fn a_constraint_excludes_its_negation() {
    let mut pool = Pool::new();
    let b = bytes(&mut pool, 2);
    let mut path = PathCondition::new();
    let less = pool.ult(b[0], b[1]);
    path.add(&mut pool, less);
    let not_less = pool.not(less);
    assert!(path.excludes(&mut pool, not_less) && !path.excludes(&mut pool, less));
}

#[test]
fn long_paths_are_dropped_without_recursion() {
    let mut pool = Pool::new();
    let input = pool.input("in", 300_000);
    let mut path = PathCondition::new();
    let zero = pool.constant(8, 0);
    for offset in 0..300_000 {
        let byte = pool.byte(input, offset);
        let condition = pool.ne(byte, zero);
        path.add(&mut pool, condition);
    }
    assert_eq!(path.len(), 300_000);
}
