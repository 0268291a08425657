use super::*;
use crate::scan::tag::whole_tag;

#[test]
fn no_name_stands_for_two_formats() {
    for format in Format::all() {
        assert_eq!(Format::named(format.name()), Some(format));
    }
    let names = Format::all().flat_map(Format::names);
    let mut letters: Vec<String> = names.map(folded).collect();
    let all = letters.len();
    letters.sort();
    letters.dedup();
    assert_eq!(letters.len(), all);
}

#[test]
fn every_format_has_one_record() {
    for format in Format::all().filter(|format| *format != Format::Auto) {
        let own = records().filter(|record| record.format == format);
        assert_eq!(own.count(), 1, "{}", format.name());
    }
}

#[test]
fn every_marker_is_listed_once() {
    let listed = FAMILIES.iter().flat_map(|family| family.markers);
    assert_eq!(listed.flat_map(Marker::each).count(), MARKERS.len());
}

#[test]
fn every_sign_belongs_to_a_format_and_every_first_can_be_reached() {
    for record in records() {
        for sign in record.signs {
            let format = Format::from_chat_template(&sign.parts.concat());
            assert_eq!(format, Some(record.format), "{sign:?} is hidden by another");
        }
    }
}

/// So that the reader of replies knows what the recogniser of templates does.
#[test]
fn signs_that_are_tags_are_markers_of_the_reader() {
    let signs = records().flat_map(|record| record.signs);
    let signs = signs.flat_map(|sign| sign.parts);
    let tags = signs.filter(|sign| sign.starts_with('<') && sign.ends_with('>'));
    for sign in tags {
        // They belong to other parts of a conversation.
        if [
            "<|bom|>",
            "<beginning_of_sentence>",
            "<|start_of_role|>",
            "<|tool_list_start|>",
        ]
        .contains(sign)
        {
            continue;
        }
        let Some(tag) = whole_tag(sign) else {
            panic!("{sign}");
        };
        assert!(tag.marker.is_some(), "{sign}");
    }
}
