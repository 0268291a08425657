use super::*;
use crate::intent::training::Training;

fn training() -> Training {
    let mut rows = vec![[0; CLASSES]; BUCKETS];
    for feature in Features::of(&Words::of("lights")).as_slice() {
        rows[usize::from(*feature)] = [1, 0, 2, 0, 0, 15];
    }
    Training {
        levels: (0..16_u8).map(f32::from).collect(),
        bias: [0.0; CLASSES],
        rows,
        known: vec!["lights".to_owned(), "on".to_owned()],
    }
}

#[test]
fn weights_survive_a_round_trip() {
    let weights = Weights::from_bytes(&training().to_bytes()).unwrap();
    let found = weights.probabilities(&Words::of("lights"));
    assert!(
        found[5] > found[2] && found[2] > found[0] && found[0] > found[1],
        "{found:?}"
    );
    assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert!(weights.knows("lights") && weights.knows("on") && !weights.knows("licht"));
}

#[test]
fn broken_files_are_refused() {
    let bytes = training().to_bytes();
    assert!(Weights::from_bytes(&[]).is_none());
    assert!(Weights::from_bytes(&bytes[..bytes.len() - 1]).is_none());
    assert!(Weights::from_bytes(&[&bytes[..], b"x"].concat()).is_none());
    let mut other = bytes.clone();
    other[7] = b'9';
    assert!(Weights::from_bytes(&other).is_none());
    let mut infinite = bytes;
    infinite[8..12].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(Weights::from_bytes(&infinite).is_none());
}

#[test]
fn the_embedded_weights_are_valid() {
    let bytes = include_bytes!("../../../data/intents.bin");
    assert!(Weights::from_bytes(bytes).is_some());
    assert!(Weights::embedded().knows("light"));
}

#[test]
fn empty_weights_give_equal_probabilities() {
    let found = Weights::none().probabilities(&Words::of("lights on"));
    assert!(found.iter().all(|score| (score - 1.0 / 6.0).abs() < 1e-6));
    assert!(!Weights::none().knows("lights"));
}
