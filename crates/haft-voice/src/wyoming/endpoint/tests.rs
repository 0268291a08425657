use super::*;

fn silence(milliseconds: usize) -> Vec<i16> {
    // Some noise, as every microphone has.
    (0..milliseconds * 16)
        .map(|at| (at % 40) as i16 - 20)
        .collect()
}

fn speech(milliseconds: usize) -> Vec<i16> {
    (0..milliseconds * 16)
        .map(|at| if at % 80 < 40 { 4_000 } else { -4_000 })
        .collect()
}

/// Pushes audio in chunks, as satellites send it, and returns each change with its time in
/// milliseconds.
fn run(sound: &[i16]) -> (Endpoint, Vec<(Progress, usize)>) {
    let mut endpoint = Endpoint::new();
    let mut seen = Vec::new();
    for (at, piece) in sound.chunks(1024).enumerate() {
        let progress = endpoint.push(piece);
        if progress != Progress::Same {
            seen.push((progress, (at + 1) * 64));
        }
        if progress == Progress::Ended {
            break;
        }
    }
    (endpoint, seen)
}

#[test]
fn speech_between_silences_is_one_utterance() {
    let sound = [
        silence(2_000),
        speech(600),
        silence(300),
        speech(400),
        silence(2_000),
    ]
    .concat();
    let (endpoint, seen) = run(&sound);
    assert_eq!(seen, [(Progress::Begun, 2_176), (Progress::Ended, 4_032)]);
    assert!(endpoint.has_begun());
    let length = endpoint.take().duration().as_millis();
    // The lead, the speech itself, and the silence that ended it.
    assert!((2_300..2_600).contains(&length), "{length}");
}

#[test]
fn silence_and_clicks_are_no_utterance() {
    let click = [silence(500), speech(60), silence(500)].concat();
    let (endpoint, seen) = run(&[click.clone(), click.clone(), click].concat());
    assert_eq!(seen, []);
    assert_eq!(endpoint.length(), Duration::from_millis(3_180));
    assert!(endpoint.take().duration() < Duration::from_millis(600));
}

#[test]
fn an_endless_utterance_is_cut() {
    let (endpoint, seen) = run(&speech(40_000));
    assert_eq!(
        seen.last().map(|(progress, _)| *progress),
        Some(Progress::Ended)
    );
    assert_eq!(endpoint.take().duration(), LONGEST);
}

#[test]
fn steady_noise_becomes_the_background() {
    let noise: Vec<i16> = (0..16_000 * 6)
        .map(|at| if at % 8 < 4 { 200 } else { -200 })
        .collect();
    let loud = [noise.clone(), speech(600), noise.clone()].concat();
    let (_, seen) = run(&loud);
    assert_eq!(
        seen.first().map(|(progress, _)| *progress),
        Some(Progress::Begun)
    );
    assert_eq!(
        seen.last().map(|(progress, _)| *progress),
        Some(Progress::Ended)
    );
}
