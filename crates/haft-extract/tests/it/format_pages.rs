//! The pages in `docs/formats` against the formats: each format has one section, with its other
//! names, what betrays it in a chat template, and an example that is read as a call.

use std::path::PathBuf;

use haft_extract::{ExtractOptions, Format, extract};

use crate::support::case::named_tools;

/// A section of a page: the format that its heading names, and its text.
struct Section {
    name: String,
    text: String,
}

impl Section {
    /// What stands in ticks behind `label`, up to the end of its line.
    fn list(&self, label: &str) -> Vec<&str> {
        let line = self.text.lines().find_map(|line| line.strip_prefix(label));
        let line = line.and_then(|line| line.strip_suffix('.'));
        let items = line.into_iter().flat_map(|line| line.split(", "));
        fn inner(item: &str) -> Option<&str> {
            let double = item
                .strip_prefix("`` ")
                .and_then(|item| item.strip_suffix(" ``"));
            double.or_else(|| item.strip_prefix('`')?.strip_suffix('`'))
        }
        items.map(|item| inner(item).expect("in ticks")).collect()
    }

    /// The content of the fence.
    fn example(&self) -> &str {
        let mark = if self.text.contains("````") {
            "````"
        } else {
            "```"
        };
        let opened = self.text.split_once(&format!("{mark}text\n"));
        let closed = opened.and_then(|(_, rest)| rest.split_once(&format!("\n{mark}\n")));
        let example = closed.map(|(example, _)| example);
        example.unwrap_or_else(|| panic!("{} has no example", self.name))
    }
}

fn sections() -> Vec<Section> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    let mut sections = Vec::new();
    for page in std::fs::read_dir(folder).unwrap() {
        let page = std::fs::read_to_string(page.unwrap().path()).unwrap();
        for section in page.split("\n## `").skip(1) {
            let (name, text) = section.split_once('`').unwrap();
            let text = text.split("\n## Quirks").next().unwrap();
            sections.push(Section {
                name: name.to_owned(),
                text: text.to_owned(),
            });
        }
    }
    sections
}

#[test]
fn every_format_has_one_section_with_its_names() {
    let sections = sections();
    for format in Format::all().filter(|format| *format != Format::Auto) {
        let mut own = sections
            .iter()
            .filter(|section| section.name == format.name());
        let section = own
            .next()
            .unwrap_or_else(|| panic!("{format} has no section"));
        assert!(own.next().is_none(), "{format} has two sections");
        let others: Vec<&str> = format.names().skip(1).collect();
        assert_eq!(section.list("Other names: "), others, "{format}");
    }
    assert_eq!(sections.len(), Format::all().count() - 1);
}

#[test]
fn what_betrays_a_format_in_a_chat_template_is_right() {
    for section in sections() {
        let signs = section.list("In a chat template: ").join(" ");
        let format = Format::from_chat_template(&signs);
        if !signs.is_empty() {
            let name = format.map(Format::name);
            assert_eq!(name, Some(section.name.as_str()), "{signs}");
        }
    }
}

#[test]
fn the_example_of_a_page_is_that_of_the_record() {
    for section in sections() {
        let format = Format::named(&section.name).unwrap();
        assert_eq!(section.example(), format.example(), "{}", section.name);
    }
}

#[test]
fn every_example_is_read_as_one_call() {
    let tools = named_tools("home");
    for section in sections() {
        let format = Format::named(&section.name).unwrap();
        let mut options = ExtractOptions::for_format(format);
        let named = extract(&tools, options, section.example());
        options.format = Format::Auto;
        for extraction in [named, extract(&tools, options, section.example())] {
            let read = format!("{}: {extraction:?}", section.name);
            assert_eq!(extraction.calls.len(), 1, "{read}");
            assert!(extraction.invalid.is_empty(), "{read}");
            assert_eq!(extraction.content.trim(), "", "{read}");
        }
    }
}
