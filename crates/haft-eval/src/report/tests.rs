use std::collections::BTreeMap;

use super::*;
use crate::result::{StepResult, Verdict};
use crate::summary::sample;
use haft_core::RecoveryStep;

fn header(model: &str) -> RunHeader {
    RunHeader {
        haft_eval: 1,
        dataset: "set <b>&\"'".to_owned(),
        dataset_hash: "0123".to_owned(),
        model: model.to_owned(),
        simulation: false,
        options: BTreeMap::from([("system".to_owned(), "<script>alert(1)</script>".to_owned())]),
    }
}

fn page(header: &RunHeader) -> String {
    let wrong = CaseResult {
        id: "\"><img src=https://example.org/x>".to_owned(),
        category: "a & </svg><script>".to_owned(),
        first: Verdict::NoCall,
        recovered: Verdict::WrongTool,
        steps: vec![StepResult {
            step: RecoveryStep::ConstrainedCall,
            recovered: true,
        }],
        error: Some("it's\u{1b}[31m <i>".to_owned()),
        ..sample("x")
    };
    html_report(
        &ReportInfo { header, planned: 3 },
        &[sample("plain"), wrong],
    )
}

#[test]
fn the_page_has_no_scripts_and_no_external_resources() {
    let page = page(&header("m"));
    let markup = page.to_lowercase();
    for word in [
        "<script", "<link", "<img", "<iframe", "@import", "url(", "src=\"", "href=", "onload",
        "onclick", "xmlns",
    ] {
        assert!(!markup.contains(word), "{word}");
    }
    // The only address in the page is the one in the hostile case, as text.
    assert_eq!(
        page.matches("://").count(),
        page.matches("&lt;img src=https://example.org/x&gt;")
            .count()
    );
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn texts_from_outside_are_escaped() {
    let page = page(&header("m<o>del"));
    assert!(page.contains("m&lt;o&gt;del on set &lt;b&gt;&amp;&quot;&#39;"));
    assert!(page.contains("a &amp; &lt;/svg&gt;&lt;script&gt;"));
    assert!(page.contains("it&#39;s [31m &lt;i&gt;"));
    assert!(!page.contains('\u{1b}'));
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn a_page_fits_a_phone_and_dark_mode_and_reports_what_is_missing() {
    let real = page(&header("m"));
    assert!(real.contains("width=device-width") && real.contains("prefers-color-scheme:dark"));
    assert!(real.contains("2 of 3 cases are done"));
    assert!(!real.contains("simulation"));
    let simulated = page(&RunHeader {
        simulation: true,
        ..header("flaky")
    });
    assert!(simulated.contains("<strong>simulation</strong>"));
}

#[test]
fn figures_match_the_summary() {
    let page = page(&header("m"));
    assert!(page.contains("50.0 %") && page.contains("9.5 to 90.5 %"));
    assert!(page.contains("constrained_call"));
    let empty = html_report(
        &ReportInfo {
            header: &header("m"),
            planned: 0,
        },
        &[],
    );
    assert!(empty.ends_with("</html>\n") && !empty.contains("NaN"));
}
