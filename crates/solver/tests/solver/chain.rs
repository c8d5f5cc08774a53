//! The chain against brute force: every combination of layers gives the same, right answers.

use crate::random::Scene;
use fathom_expr::{ExprId, Model, Pool};
use fathom_solver::{Answer, Config, LayerKind, Layers, PathCondition, Solver};

fn all_combinations() -> impl Iterator<Item = Layers> {
    (0..64).map(|bits: u32| Layers {
        cache: bits & 1 != 0,
        domains: bits & 2 != 0,
        models: bits & 4 != 0,
        diagram: bits & 8 != 0,
        values: bits & 16 != 0,
        reasons: bits & 32 != 0,
    })
}

fn solver(layers: Layers) -> Solver {
    Solver::new(Config { layers, ..Config::default() })
}

/// Whether `answer` is what brute force says, and its model does what it must.
fn assert_right(
    scene: &mut Scene,
    path: &PathCondition,
    condition: ExprId,
    answer: &Answer,
    models: &[Model],
) {
    let possible = models.iter().any(|model| scene.pool.eval_bool(condition, model));
    assert_eq!(answer.is_sat(), possible, "{:?}", scene.pool.display(condition).to_string());
    let Answer::Sat(model) = answer else { return };
    assert!(scene.pool.eval_bool(condition, model), "the model satisfies the condition");
    let mut extended = path.clone();
    extended.add(&mut scene.pool, condition);
    for constraint in extended.constraints() {
        let support = scene.pool.support(constraint);
        if support.iter().any(|var| model.assigned(var)) {
            assert!(support.iter().all(|var| model.assigned(var)), "whole slices are assigned");
            assert!(scene.pool.eval_bool(constraint, model), "the model satisfies its slices");
        }
    }
}

#[test]
fn every_combination_of_layers_agrees_with_brute_force() {
    for layers in all_combinations() {
        let n_seeds = if layers.diagram { 24 } else { 9 };
        for seed in 0..n_seeds {
            let n_bytes = 1 + seed as u32 % 3;
            let mut scene = Scene::new(seed, n_bytes);
            let path = scene.path(if n_bytes == 3 { 20 } else { 60 }, seed % 3);
            let models = scene.models(&path);
            if models.is_empty() {
                continue;
            }
            let mut solver = solver(layers);
            for _ in 0..4 {
                let condition = scene.condition();
                let hint = models[scene.rng.below(models.len() as u64) as usize].clone();
                let answer = solver.check(&mut scene.pool, &path, condition, Some(&hint)).unwrap();
                assert_right(&mut scene, &path, condition, &answer, &models);
                if let Some(quick) = solver.quick(&mut scene.pool, &path, condition, None) {
                    assert_right(&mut scene, &path, condition, &quick, &models);
                }
            }
            assert_eq!(solver.stats.wrong_models, 0);
        }
    }
}

#[test]
fn the_diagram_alone_is_right_where_it_answers() {
    let n_answered = answers_of(Layers { diagram: true, ..Layers::NONE });
    assert!(n_answered > 1000, "{n_answered}");
}

#[test]
fn the_values_alone_are_right_where_they_answer() {
    let n_answered = answers_of(Layers { values: true, ..Layers::NONE });
    assert!(n_answered > 500, "{n_answered}");
}

/// A condition over two slices that fails in one says nothing of the other.
#[test]
fn a_part_of_what_cannot_hold_may_hold() {
    for layers in all_combinations() {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let bytes = [0, 1, 2, 3].map(|n| {
            let byte = pool.byte(input, n);
            pool.zext(byte, 16)
        });
        let mut path = PathCondition::new();
        let limit = pool.constant(16, 58);
        for byte in &bytes[2..] {
            let small = pool.ult(*byte, limit);
            path.add(&mut pool, small);
        }
        let ordered = pool.ult(bytes[0], bytes[1]);
        let sum = pool.add(bytes[2], bytes[3]);
        let much = pool.constant(16, 200);
        let large = pool.ult(much, sum);
        let both = pool.and(ordered, large);
        let mut solver = solver(layers);
        for (condition, expected) in [(both, false), (ordered, true), (large, false)] {
            let answer = solver.check(&mut pool, &path, condition, None).unwrap();
            assert_eq!(answer.is_sat(), expected, "{layers:?}");
        }
    }
}

/// How many questions cheap layers answer, each of them as brute force does.
fn answers_of(layers: Layers) -> usize {
    let mut n_answered = 0;
    for seed in 1000..1400 {
        let mut scene = Scene::new(seed, 3);
        let path = scene.path(16, 1 + seed % 3);
        let models = scene.models(&path);
        if models.is_empty() {
            continue;
        }
        let mut solver = solver(layers);
        for _ in 0..10 {
            let condition = scene.condition();
            if let Some(answer) = solver.quick(&mut scene.pool, &path, condition, None) {
                assert_right(&mut scene, &path, condition, &answer, &models);
                n_answered += 1;
            }
        }
        assert_eq!(solver.stats.wrong_models, 0);
        assert_eq!(solver.stats[LayerKind::Backend].asked, 0);
    }
    n_answered
}

#[test]
fn bounds_and_values_are_exact() {
    for seed in 0..60 {
        let mut scene = Scene::new(seed, 1 + seed as u32 % 2);
        let path = scene.path(12, seed % 3);
        let models = scene.models(&path);
        if models.is_empty() {
            continue;
        }
        let width = scene.rng.pick(&[8, 16, 32, 64]);
        let expr = scene.term(width, 2);
        let mut expected: Vec<u64> =
            models.iter().map(|model| scene.pool.eval(expr, model) as u64).collect();
        expected.sort_unstable();
        expected.dedup();
        let mut solver = solver(Layers::ALL);
        let bounds = solver.bounds(&mut scene.pool, &path, expr, None).unwrap();
        assert_eq!(bounds, (expected[0], expected[expected.len() - 1]));
        let all = solver.values(&mut scene.pool, &path, expr, 1000, Some(&models[0])).unwrap();
        assert!(all.complete);
        assert_eq!(all.values, expected);
        let some = solver.values(&mut scene.pool, &path, expr, 3, None).unwrap();
        assert_eq!(some.complete, expected.len() <= 3);
        assert!(
            some.values.len() == expected.len().min(3)
                && some.values.iter().all(|v| expected.contains(v))
        );
    }
}

#[test]
fn wishes_are_granted_in_order() {
    for seed in 0..60 {
        let mut scene = Scene::new(seed, 3);
        let path = scene.path(16, seed % 3);
        let models = scene.models(&path);
        let Some(base) = models.first() else { continue };
        let wishes: Vec<ExprId> = (0..5).map(|_| scene.condition()).collect();
        let mut solver = solver(Layers::ALL);
        let model = solver.prefer(&mut scene.pool, &path, base, &wishes, &[], 100);
        assert!(path.constraints().all(|constraint| scene.pool.eval_bool(constraint, &model)));
        let mut left = models.clone();
        for &wish in &wishes {
            let granted: Vec<Model> =
                left.iter().filter(|m| scene.pool.eval_bool(wish, m)).cloned().collect();
            if !granted.is_empty() {
                left = granted;
            }
            assert_eq!(
                scene.pool.eval_bool(wish, &model),
                scene.pool.eval_bool(wish, &left[0]),
                "as greedy as can be"
            );
        }
    }
}

#[test]
fn the_same_calls_give_the_same_answers() {
    let run = || {
        let mut scene = Scene::new(7, 3);
        let path = scene.path(16, 2);
        let mut solver = solver(Layers::ALL);
        let ask = |_| {
            let condition = scene.condition();
            format!("{:?}", solver.check(&mut scene.pool, &path, condition, None))
        };
        (0..100).map(ask).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
