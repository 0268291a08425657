//! The modules of each crate stand on floors: no circle of modules that use each other is longer
//! than three files. A module and those within it may use each other.
//!
//! The inside of `haft-extract` is not checked yet.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The longest circle.
const LONGEST: usize = 3;

/// Crates with longer circles.
const UNCHECKED: [&str; 1] = ["haft-extract"];

/// A module or an item: its names from the root of the crate.
type ItemPath = Vec<String>;

#[test]
fn modules_stand_on_floors() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut circles = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(&crates).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if UNCHECKED.contains(&name.as_str()) {
            continue;
        }
        let graph = Graph::of(&folder.join("src"));
        count += graph.0.len();
        for circle in graph.circles() {
            let names: Vec<_> = circle.iter().map(|module| module.join("::")).collect();
            circles.push(format!("{name}: {}", names.join(", ")));
        }
    }
    assert!(count > 500, "the crates were not found");
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// Which modules of a crate each module uses.
struct Graph(BTreeMap<ItemPath, BTreeSet<ItemPath>>);

impl Graph {
    fn of(source: &Path) -> Self {
        let mut modules = BTreeMap::new();
        collect(source, &[], &mut modules);
        let names: BTreeSet<ItemPath> = modules.keys().cloned().collect();
        let mut exported = BTreeMap::new();
        let mut used = Vec::new();
        for (module, tokens) in &modules {
            for reference in references(module, tokens, &names) {
                if reference.is_exported
                    && let Some(name) = reference.path.last()
                {
                    let mut alias = module.clone();
                    alias.push(name.clone());
                    exported.insert(alias, reference.path.clone());
                }
                used.push((module, reference));
            }
        }
        let mut graph: BTreeMap<ItemPath, BTreeSet<ItemPath>> = BTreeMap::new();
        for module in &names {
            graph.entry(module.clone()).or_default();
        }
        for (module, reference) in used {
            // A library's table of contents is no use of what it lists.
            if reference.is_exported && module.is_empty() {
                continue;
            }
            let target = resolved(&reference.path, &names, &exported);
            if !module.starts_with(&target) {
                graph.entry(module.clone()).or_default().insert(target);
            }
        }
        Self(graph)
    }

    /// The groups of modules that reach each other and are too large.
    fn circles(&self) -> Vec<Vec<ItemPath>> {
        let reached: BTreeMap<_, _> = self.0.keys().map(|from| (from, self.reach(from))).collect();
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for (module, others) in &reached {
            let circle: Vec<ItemPath> = others
                .iter()
                .filter(|other| reached[*other].contains(*module))
                .cloned()
                .collect();
            if circle.len() > LONGEST && seen.insert(circle.clone()) {
                circles.push(circle);
            }
        }
        circles
    }

    /// All modules that a module uses, directly or not.
    fn reach(&self, from: &ItemPath) -> BTreeSet<ItemPath> {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(module) = waiting.pop() {
            for next in &self.0[module] {
                if reached.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        reached
    }
}

/// Reads the modules in `folder`, apart from tests, as tokens.
fn collect(folder: &Path, parent: &[String], modules: &mut BTreeMap<ItemPath, Vec<String>>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name == "tests" {
            continue;
        }
        let mut module = parent.to_vec();
        if !(parent.is_empty() && matches!(name.as_str(), "lib" | "main")) {
            module.push(name);
        }
        if path.is_dir() {
            collect(&path, &module, modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            modules.insert(module, tokens(&fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Names and signs, without comments.
fn tokens(text: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    let mut tokens = Vec::new();
    let mut word = String::new();
    for c in code.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if !c.is_whitespace() {
            tokens.push(c.to_string());
        }
    }
    tokens
}

/// A path in the code of a module.
struct Reference {
    path: ItemPath,
    /// The module passes the item on.
    is_exported: bool,
}

/// The paths in the code of `module` that lead to modules of its crate.
fn references(module: &[String], tokens: &[String], names: &BTreeSet<ItemPath>) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut is_exported = false;
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match token.as_str() {
            "use" => is_exported = before.is_some_and(|token| token == "pub" || token == ")"),
            ";" => is_exported = false,
            _ => {}
        }
        let mut child = module.to_vec();
        child.push(token.clone());
        let begins = matches!(token.as_str(), "crate" | "super" | "self") || names.contains(&child);
        let goes_on = tokens.get(at + 1).is_some_and(|next| next == ":")
            && tokens.get(at + 2).is_some_and(|next| next == ":");
        if begins && goes_on && before.is_none_or(|token| token != ":") {
            let mut paths = Vec::new();
            branches(tokens, &mut at.clone(), &[], &mut paths);
            found.extend(paths.into_iter().map(|path| Reference {
                path: absolute(module, &path),
                is_exported,
            }));
        }
    }
    found
}

/// Reads a path or a tree of paths from `at` on.
fn branches(tokens: &[String], at: &mut usize, before: &[String], paths: &mut Vec<ItemPath>) {
    let mut path = before.to_vec();
    while let Some(token) = tokens.get(*at) {
        match token.as_str() {
            ":" => *at += 1,
            "{" => {
                *at += 1;
                while tokens.get(*at).is_some_and(|token| token != "}") {
                    let start = *at;
                    branches(tokens, at, &path, paths);
                    if tokens.get(*at).is_some_and(|token| token == ",") || *at == start {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            name if name.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                let is_joined = path.len() == before.len()
                    || tokens
                        .get(at.wrapping_sub(1))
                        .is_some_and(|token| token == ":");
                if !is_joined {
                    break;
                }
                path.push(name.to_owned());
                *at += 1;
            }
            _ => break,
        }
    }
    // "Name as Other" is a use of the name.
    if tokens.get(*at).is_some_and(|token| token == "as") {
        *at += 2;
    }
    paths.push(path);
}

/// A path from the root of the crate.
fn absolute(module: &[String], path: &[String]) -> ItemPath {
    let mut base = match path.first().map(String::as_str) {
        Some("crate") => Vec::new(),
        _ => module.to_vec(),
    };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => {
                base.pop();
            }
            name => base.push(name.to_owned()),
        }
    }
    base
}

/// The module that an item is in, also where another one passes it on.
fn resolved(
    path: &[String],
    modules: &BTreeSet<ItemPath>,
    exported: &BTreeMap<ItemPath, ItemPath>,
) -> ItemPath {
    let mut path = path.to_vec();
    // Items are passed on over a few floors at most.
    for _ in 0..8 {
        let alias = (0..=path.len()).rev().find_map(|length| {
            let target = exported.get(&path[..length])?;
            (target[..] != path[..length]).then(|| [target, &path[length..]].concat())
        });
        match alias {
            Some(target) => path = target,
            None => break,
        }
    }
    while !modules.contains(&path) {
        path.pop();
    }
    path
}
