//! The page template: head, style and tables.

use super::escaped;

/// Colours come in pairs for light and dark, with enough contrast for small text in both.
const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2024;--faint:#5d6670;--line:#dfe3e8;--first:#9aa5b1;--good:#1f7a4d;--tile:#f5f7f9}\
@media(prefers-color-scheme:dark){:root{--paper:#14181c;--ink:#e8ecf0;--faint:#a3adb8;--line:#333b44;--first:#6b7783;--good:#4cc38a;--tile:#1c2227}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:110rem;padding:1rem clamp(1rem,3vw,3rem);background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\
h1{font-size:1.4rem;line-height:1.25}h2{font-size:1.1rem;margin-top:2rem}\
p.facts,small,p{color:var(--faint)}p{max-width:75ch}.note{border-left:4px solid var(--good);padding-left:.75rem;color:var(--ink)}\
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem}\
.tiles div,.case{background:var(--tile);border-radius:.5rem;padding:.75rem;display:flex;flex-direction:column}\
.tiles b{font-size:1.5rem}.tiles span{color:var(--faint);font-size:.85rem}\
table{border-collapse:collapse;width:100%;font-size:.9rem}\
th,td{text-align:right;padding:.35rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}\
th{color:var(--faint);font-weight:600}th:first-child,td:first-child{text-align:left}td small{display:block;white-space:nowrap}\
.row{display:grid;grid-template-columns:minmax(8rem,16rem) 1fr;gap:.25rem 1rem;align-items:center;padding:.35rem 0}\
.row .name{text-align:right}.bar{display:grid;grid-template-columns:1fr 3.5rem;gap:.5rem;align-items:center;line-height:1.2}\
.bar b{font-weight:400}.track{position:relative;height:.9rem;margin:.1rem 0;background:var(--tile)}.track i{position:absolute;left:0;top:0;bottom:0}\
.track .whisker{top:50%;bottom:auto;border-top:2px solid var(--ink)}.scale{display:flex;justify-content:space-between;margin-right:4rem;color:var(--faint);font-size:.85rem}\
.first{background:var(--first)}.good{background:var(--good)}\
.cases{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(30rem,100%),1fr));gap:.75rem}.case h3{font-size:1rem;margin:0 0 .35rem}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .75rem;margin:0;font-size:.9rem}dt{color:var(--faint)}dd{margin:0}\
@media(max-width:70rem){thead{display:none}table,tbody,tr,td{display:block}tr{border-bottom:1px solid var(--line);padding:.5rem 0}\
td{display:flex;justify-content:space-between;gap:1rem;border:0;padding:.15rem 0}td:first-child{font-weight:600;justify-content:flex-start}td::before{content:attr(data-label);color:var(--faint);font-weight:400}}\
@media(max-width:40rem){.row{grid-template-columns:1fr}.row .name{text-align:left}}";

pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n{body}\n</body></html>\n",
        escaped(title)
    )
}

/// Renders a table whose cells are already HTML. On a narrow page each row is a block, and each cell
/// has its heading beside it.
pub(super) fn table(
    title: &str,
    headings: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let head: String = headings
        .iter()
        .map(|heading| format!("<th>{heading}</th>"))
        .collect();
    let cell = |(heading, cell): (&&str, &String)| {
        format!(
            "<td data-label=\"{}\"><span>{cell}</span></td>",
            escaped(heading)
        )
    };
    let rows: String = rows
        .map(|row| {
            let cells: String = headings.iter().zip(&row).map(cell).collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    format!(
        "<h2>{}</h2><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>",
        escaped(title)
    )
}
