use std::time::Duration;

use super::Pcm;
use crate::error::VoiceErrorKind;

fn tone(rate: u32, seconds: f64) -> Vec<i16> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small"
    )]
    let count = (f64::from(rate) * seconds) as u32;
    (0..count)
        .map(|index| {
            let angle = f64::from(index) / f64::from(rate) * 440.0 * std::f64::consts::TAU;
            #[expect(clippy::cast_possible_truncation, reason = "within 16 bits")]
            let sample = (angle.sin() * 16_384.0) as i16;
            sample
        })
        .collect()
}

#[test]
fn a_wav_file_is_read_back_as_written() {
    let audio = Pcm::new(tone(16_000, 0.3));
    assert_eq!(Pcm::from_wav(&audio.to_wav()).unwrap(), audio);
    assert_eq!(audio.duration(), Duration::from_millis(300));
}

#[test]
fn other_rates_and_channels_keep_length_and_loudness() {
    for rate in [8_000, 11_025, 22_050, 44_100, 48_000] {
        let mono = tone(rate, 0.5);
        let stereo: Vec<i16> = mono.iter().flat_map(|sample| [*sample, *sample]).collect();
        let audio = Pcm::from_samples(&stereo, rate, 2).unwrap();
        assert!(audio.samples().len().abs_diff(8_000) <= 1, "{rate}");
        let loudness = 0.5 / 2.0_f64.sqrt();
        assert!(
            (audio.energy() - loudness).abs() < 0.02,
            "{rate}: {}",
            audio.energy()
        );
    }
}

#[test]
fn a_streamed_header_without_length_reads_to_the_end() {
    let audio = Pcm::new(tone(16_000, 0.1));
    for length in [0_u32, u32::MAX] {
        let mut file = audio.to_wav();
        file.splice(40..44, length.to_le_bytes());
        assert_eq!(Pcm::from_wav(&file).unwrap(), audio);
    }
}

#[test]
fn a_file_cut_anywhere_never_panics_and_says_what_is_wrong() {
    let file = Pcm::new(vec![1, -1, 300, -300]).to_wav();
    for cut in 0..44 {
        let error = match Pcm::from_wav(&file[..cut]) {
            Err(error) => error,
            Ok(audio) => panic!("{cut}: {audio:?}"),
        };
        assert_eq!(error.kind(), VoiceErrorKind::Audio);
        assert!(error.hint().is_some());
    }
    for cut in 44..file.len() {
        let audio = Pcm::from_wav(&file[..cut]).unwrap();
        assert_eq!(audio.samples().len(), (cut - 44) / 2);
    }
}

#[test]
fn wider_samples_and_floats_become_16_bits() {
    let file = |coding: u16, bits: u16, data: &[u8]| {
        let mut file = Pcm::new(Vec::new()).to_wav();
        file.splice(20..22, coding.to_le_bytes());
        file.splice(34..36, bits.to_le_bytes());
        file.splice(40..44, u32::try_from(data.len()).unwrap().to_le_bytes());
        file.extend(data);
        file
    };
    let read = |coding, bits, data: &[u8]| Pcm::from_wav(&file(coding, bits, data)).unwrap();
    assert_eq!(read(1, 8, &[128, 255, 0]).samples(), [0, 32_512, -32_768]);
    assert_eq!(read(1, 24, &[9, 0x34, 0x12]).samples(), [0x1234]);
    assert_eq!(read(1, 32, &[9, 9, 0x34, 0x12]).samples(), [0x1234]);
    let floats = [
        0.5_f32.to_le_bytes(),
        f32::NAN.to_le_bytes(),
        9.0_f32.to_le_bytes(),
    ]
    .concat();
    assert_eq!(read(3, 32, &floats).samples(), [16_384, 0, 32_767]);
    let error = Pcm::from_wav(&file(7, 8, &[0])).unwrap_err();
    assert!(error.to_string().contains("coding 7"), "{error}");
}

#[test]
fn impossible_rates_are_refused() {
    for (rate, channels) in [(0, 1), (16_000, 0), (16_000, 33), (u32::MAX, 1)] {
        let error = Pcm::from_samples(&[0], rate, channels).unwrap_err();
        assert_eq!(error.kind(), VoiceErrorKind::Audio);
    }
}
