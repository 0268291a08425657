//! The page template: head, style and tables.

use super::escaped;

/// Colours come in pairs for light and dark, with enough contrast for small text in both.
const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2024;--faint:#5d6670;--line:#dfe3e8;--first:#9aa5b1;--good:#1f7a4d;--tile:#f5f7f9}\
@media(prefers-color-scheme:dark){:root{--paper:#14181c;--ink:#e8ecf0;--faint:#a3adb8;--line:#333b44;--first:#6b7783;--good:#4cc38a;--tile:#1c2227}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\
h1{font-size:1.4rem;line-height:1.25}h2{font-size:1.1rem;margin-top:2rem}\
p.facts,small,p{color:var(--faint)}.note{border-left:4px solid var(--good);padding-left:.75rem;color:var(--ink)}\
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem}\
.tiles div{background:var(--tile);border-radius:.5rem;padding:.75rem;display:flex;flex-direction:column}\
.tiles b{font-size:1.5rem}.tiles span{color:var(--faint);font-size:.85rem}\
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem;overflow-wrap:normal}\
th,td{text-align:right;padding:.35rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}\
th{color:var(--faint);font-weight:600}th:first-child,td:first-child{text-align:left}small{white-space:nowrap}\
svg{width:100%;height:auto;max-width:36rem;display:block}svg text{fill:var(--ink);font:13px system-ui,sans-serif}\
.first{fill:var(--first)}.good{fill:var(--good)}.axis{stroke:var(--line)}.whisker{stroke:var(--ink);stroke-width:1.5}";

pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n{body}\n</body></html>\n",
        escaped(title)
    )
}

/// Renders a table whose cells are already HTML.
pub(super) fn table(
    title: &str,
    headings: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| -> String {
        cells.map(|cell| format!("<{tag}>{cell}</{tag}>")).collect()
    };
    let head = cells("th", &mut headings.iter().copied());
    let rows: String = rows
        .map(|row| {
            format!(
                "<tr>{}</tr>\n",
                cells("td", &mut row.iter().map(String::as_str))
            )
        })
        .collect();
    format!(
        "<h2>{}</h2><div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>",
        escaped(title)
    )
}
