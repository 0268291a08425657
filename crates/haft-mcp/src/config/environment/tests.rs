use super::*;

#[test]
fn variables_that_determine_the_code_are_refused_in_any_case() {
    let refused = [
        "PATH",
        "Path",
        "LD_PRELOAD",
        "ld_library_path",
        "DYLD_INSERT_LIBRARIES",
        "PYTHONPATH",
        "NODE_OPTIONS",
        "BASH_ENV",
        "RUBYOPT",
        "PERL5OPT",
        "JAVA_TOOL_OPTIONS",
        " PATH",
        "BASH_FUNC_ls%%",
    ];
    for name in refused {
        let problem = check(["API_KEY", name]).unwrap_err();
        let said = format!("its \"env\" sets {name}, which decides what code runs");
        assert_eq!(problem.message, said);
        assert!(problem.hint.is_some());
    }
    let path = check(["PATH"]).unwrap_err().hint.unwrap();
    assert!(path.contains("full path"), "{path}");
}

#[test]
fn settings_and_keys_are_passed_on() {
    let plain = [
        "API_KEY",
        "HOME",
        "PATH_TO_FILES",
        "MY_PATH",
        "PYTHONUNBUFFERED",
        "PYTHONIOENCODING",
        "NODE_ENV",
        "NODE_EXTRA_CA_CERTS",
        "DEBUG",
        "HTTP_PROXY",
        "LDAP_URL",
        "PORT",
    ];
    assert!(check(plain).is_ok());
}

#[test]
fn the_list_is_sorted_and_in_upper_case() {
    assert!(REFUSED.is_sorted());
    assert!(
        REFUSED
            .iter()
            .all(|name| *name == name.to_ascii_uppercase())
    );
}
