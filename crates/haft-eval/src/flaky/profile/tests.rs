use super::*;

#[test]
fn the_data_file_has_exactly_the_offered_profiles() {
    let data: Data = toml::from_str(DATA).unwrap();
    let profiles: Vec<_> = data.profiles.keys().map(String::as_str).collect();
    let mut offered = PROFILES;
    offered.sort_unstable();
    assert_eq!(profiles, offered);
    let mut offered = BEHAVIOURS;
    offered.sort_unstable();
    assert_eq!(
        data.behaviours
            .keys()
            .map(String::as_str)
            .collect::<Vec<_>>(),
        offered
    );
    for name in PROFILES {
        assert_eq!(profile(name).unwrap().name, name);
    }
}

#[test]
fn every_number_is_a_share_and_cites_an_existing_source() {
    let data: Data = toml::from_str(DATA).unwrap();
    let check = |what: &str, numbers: &[&Sourced]| {
        let sum: f64 = numbers.iter().map(|number| number.share).sum();
        assert!((0.0..=1.0).contains(&sum), "{what}: {sum}");
        for number in numbers {
            let source = data
                .sources
                .get(&number.source)
                .unwrap_or_else(|| panic!("{what}: no {}", number.source));
            // Sources of reported numbers must be public.
            let is_public = source.contains("https://") || source.contains("arXiv");
            assert!(
                number.basis == Basis::Assumed || is_public,
                "{what}: {source}"
            );
        }
    };
    for (name, profile) in &data.profiles {
        for table in [&profile.call, &profile.no_call, &profile.after_result] {
            check(name, &table.values().collect::<Vec<_>>());
        }
    }
    for (name, behaviour) in &data.behaviours {
        check(
            name,
            &[&behaviour.constrained_right, &behaviour.constrained_wrong],
        );
        check(name, &[&behaviour.error_right, &behaviour.error_text]);
        for one in [
            &behaviour.constrained_eager,
            &behaviour.direct_text,
            &behaviour.room_right,
            &behaviour.note_stops,
            &behaviour.alone_stops,
        ] {
            check(name, &[one]);
        }
    }
}
