use super::*;

fn some() -> Learned {
    let mut vector = [0.0; DIMENSIONS];
    vector[3] = 1.0;
    Learned::new([(9, vector), (4, [0.25; DIMENSIONS])], [0.5; SIGNS])
}

#[test]
fn the_embedded_model_is_valid() {
    let learned = Learned::embedded();
    assert!(learned.words.len() > 5000);
    assert!(learned.words.is_sorted_by(|a, b| a < b));
    assert!(learned.weights().iter().all(|weight| weight.is_finite()));
    assert!(learned.to_bytes().len() <= 300 * 1024);
}

#[test]
fn a_model_survives_a_round_trip() {
    let bytes = some().to_bytes();
    let again = Learned::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(again.words, [4, 9]);
    let mut sum = [0.0; DIMENSIONS];
    assert!(again.add(9, 2.0, &mut sum));
    assert!((sum[3] - 2.0).abs() < 1e-5);
    assert!(!again.add(5, 1.0, &mut sum));
}

#[test]
fn a_file_that_is_cut_or_longer_is_refused() {
    let mut bytes = some().to_bytes();
    for length in 0..bytes.len() {
        assert!(Learned::from_bytes(&bytes[..length]).is_none(), "{length}");
    }
    bytes.push(0);
    assert!(Learned::from_bytes(&bytes).is_none());
}

#[test]
fn the_zero_vector_has_no_direction() {
    assert_eq!(normalised([0.0; DIMENSIONS]), [0.0; DIMENSIONS]);
}
