use serde_json::json;

use super::*;

fn tool(definition: Value) -> rmcp::model::Tool {
    let mut definition = definition;
    if definition.get("inputSchema").is_none() {
        definition["inputSchema"] = json!({"type": "object"});
    }
    serde_json::from_value(definition).unwrap()
}

/// The annotations read-only and destructive for a tool with these hints of which only the name is
/// known.
fn judged(name: &str, read_only: Option<bool>, destructive: Option<bool>) -> (bool, bool) {
    let hints = Hints {
        read_only,
        destructive,
        idempotent: None,
    };
    let sound = sound_of(&tool(json!({ "name": name })));
    let effects = effects(sound, hints, Standing::Unknown);
    (effects.read_only, effects.destructive)
}

/// Whether a tool with the hint "read-only" needs approval.
fn is_asked_about(definition: Value) -> bool {
    let hints = Hints {
        read_only: Some(true),
        ..Hints::default()
    };
    effects(sound_of(&tool(definition)), hints, Standing::Unknown).destructive
}

#[test]
fn hints_are_believed_if_they_warn() {
    let table = [
        // Without hints, the protocol's default applies.
        ("note", None, None, (false, true)),
        ("note", Some(false), None, (false, true)),
        ("note", None, Some(true), (false, true)),
        ("note", Some(false), Some(false), (false, false)),
        ("create_note", None, Some(false), (false, false)),
        ("create_note", Some(true), None, (false, true)),
        ("create_note", Some(true), Some(false), (false, true)),
        ("read", Some(true), None, (true, false)),
        ("read", Some(true), Some(false), (true, false)),
        // Contradictory hints: the warning counts.
        ("read", Some(true), Some(true), (false, true)),
        ("delete_file", Some(true), None, (false, true)),
        ("deleteFile", Some(true), Some(false), (false, true)),
        ("DELETE", None, Some(false), (false, true)),
        ("HTTPDelete", Some(true), None, (false, true)),
        ("door.unlock", Some(true), None, (false, true)),
        // A past participle is not an act.
        ("list_deleted_files", Some(true), None, (true, false)),
        ("get_removal_dates", Some(true), None, (true, false)),
    ];
    for (name, read_only, destructive, expected) in table {
        let found = judged(name, read_only, destructive);
        assert_eq!(found, expected, "{name} {read_only:?} {destructive:?}");
    }
}

#[test]
fn a_name_that_contradicts_the_hint_needs_approval() {
    let names = "
        rm rm_rf rmrf rmdir format_drive formatDrive formatdisk drop_table dropTable dropDatabase
        run_command runCommand runcommand run_shell_script shell bash execute exec_sql deleteall
        deleteAll DELETE_ALL delete-all delete.all d_e_l_e_t_e_files deletes_files deleting_files
        deletewidget massdelete write_file writefile WriteFile shutdown shut_down reboot power_off
        transfer_money transferFunds move_money pay_invoice payInvoice send_email sendEmail sendmail
        send_message open_garage openGarage garage_open open_front_door opengarage reset_factory
        factory_reset factory_defaults deploy deploy_app unlock unlock_door door_unlock
        disarm_alarm alarm_off turn_off_alarm disable_firewall kill_process killall terminate_instance
        uninstall_app erase_disk wipe_device purge_queue truncate_table overwrite_config
        get_and_delete_all read_then_wipe list_or_remove_users getanddeleteall clear_database
        empty_trash buy_stock withdraw_cash refund_order sudo eval chmod git_push create_user
        update_status set_temperature install_package flash_firmware publish_post revoke_token
        restart_server github_delete_repo mcp__files__remove_file turn_off_heating post_tweet
        loeschen lösche_datei datei_löschen alles_entfernen tür_entsperren überweisen formatiere_laufwerk
        supprimer supprimer_fichier effacer_tout envoyer_courriel déverrouiller_porte
        borrar borrar_todo eliminar_archivo enviar_correo desbloquear ejecutar_comando
        cancella_file elimina_tutto sblocca_porta apagar apagar_tudo excluir_arquivo
        verwijder verwijder_bestand ontgrendel usuń_plik smazat radera_allt
        删除 删除文件 格式化硬盘 转账 削除 ファイルを削除 初期化する 실행 파일삭제 удалить удали_файл
        отправить_письмо حذف_ملف διαγραφή
        查询并删除 打开车库门 开锁 发邮件 ガレージを開ける 支払う открыть_гараж заплатить 차고열기
        drop_schema drop_view drop_policy reset_settings reset_config flush_log cancel_event
        stop_schedule pay_and_check email_and_list make_payment alter_table cleanup clean_up prune
        docker_run systemctl crontab terminal sh zsh osascript invoke_lambda evaluate_script
        freeze_account block_user rotate_keys réinitialiser déployer desplegar dEleTe DeLeTe paybill
        dеlete_file d3lete_all ｄｅｌｅｔｅ 𝐝𝐞𝐥𝐞𝐭𝐞 de\u{200b}lete unl\u{ad}ock
    ";
    let names: Vec<String> = names
        .split_whitespace()
        .map(|name| {
            name.replace("\\u{200b}", "\u{200b}")
                .replace("\\u{ad}", "\u{ad}")
        })
        .collect();
    assert!(names.len() >= 60);
    let missed = names
        .iter()
        .filter(|name| !is_asked_about(json!({"name": name})));
    assert_eq!(missed.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn names_in_unknown_languages_and_in_disguise_need_approval() {
    let names = "
        otwórz_garaż zapłać wyłącz kapıyı_aç öde çalıştır yeniden_başlat öppna_garage kör stäng_av
        åpne_garasje kjør lähetä otevřít_garáž küld mở_cửa thanh_toán tắt aufschließen überweisung
        清除 写文件 停止 关闭 開ける 문열기 잠금해제 종료 구매 открыть_дверь купить вимкнути פתח_דלת
        שלם افتح_الباب ادفع πληρωμή στείλε दरवाज़ा_खोलो भुगतान เปิดประตู จ่ายเงิน
        betala maksa zaplatit przelew suorita odeslat buka_garasi bayar zahlen pague
        k1ll_process wr1te_file deIete_file srm wipefs annihilate get_rid_of let_in buzz_in
        open_sesame open_window make_public scale_down code_executor file_writer money_transferrer
        search_replace unlatch unbolt eject abort subprocess popen kubectl take_money
    ";
    let missed = names
        .split_whitespace()
        .filter(|name| !is_asked_about(json!({"name": name})));
    assert_eq!(missed.collect::<Vec<_>>(), Vec::<&str>::new());
    let arguments = json!({"type": "object", "properties": {"command": {"type": "array"}}});
    assert!(is_asked_about(
        json!({"name": "helper", "inputSchema": arguments})
    ));
}

#[test]
fn reading_tools_need_no_approval() {
    let names = "
        list_files listFiles read_file readFile read_text_file search search_files search_web
        get_weather get_current_time format_date format_text format_currency open_file open_page
        open_issue_list list_open_issues get_delete_log get_deletion_history list_deleted_files
        get_removal_dates list_removed_users get_lock_status get_door_state is_garage_open
        get_open_garage_doors list_orders get_order order_history order_status get_transfer
        list_transfers get_payment list_payments get_deploy_status list_deployments get_write_access
        check_write_permissions get_send_queue describe_table query_database run_query run_report
        show_schema find_user lookup_contact fetch fetch_url browse_catalog inspect_container
        count_rows compare_versions summarize_document translate convert_units calculate
        echo ping whoami weather forecast stock_price exchange_rate calendar_events dataset_info
        get_dataset offset_pages markdown_to_html countdown_days get_settings settings postcode_lookup
        playlist getweather listfiles getuser keyword_search directory_tree file_info
        get_commit list_commits git_log git_status git_diff call_log change_log book_list
        get_kill_switch_status view_shutdown_schedule terminal_size skill_list executive_summary
        removable_drives wetter_abfragen zeige_wetter suche_dateien lister_fichiers listar_archivos
        mostra_file lees_bestand 获取天气 查询订单 查看删除记录 検索 天気予報 получить_погоду
        close_price launch_dates drop_rate reset_date restart_count email_search order_tracking
        track_order market_data store_hours isOnline getIdOfUser get_x_y a_b_test_results
        format_phone_number deploy_status 获取车库状态 статус_гаража notebook_list
        获取天气 날씨_조회 getIdOfItem get_Items listItems read1file md5_sum base64_info
        estado_actual browser_snapshot browser_console_messages sensor_data device_list
    ";
    let names: Vec<&str> = names.split_whitespace().collect();
    assert!(names.len() >= 60);
    let asked = names
        .iter()
        .filter(|name| is_asked_about(json!({"name": name})));
    assert_eq!(asked.collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn a_hint_does_not_excuse_a_description_that_contradicts_it() {
    let grave = [
        "Deletes a file.",
        "Permanently delete the given record",
        "Delete a file or folder",
        "This tool removes all users.",
        "Use this tool to wipe a disk",
        "A tool for deleting files",
        "Sends an email to a contact",
        "Reads a file and deletes it",
        "Reads a file, then deletes it.",
        "Gets the door. It then unlocks the door.",
        "Opens the garage door",
        "Runs a shell command on the host",
        "Formats a drive",
        "Executes arbitrary code",
        "Transfers money between accounts",
        "Writes a file to the disk",
        "Creates a new user",
        "Löscht eine Datei",
        "Supprime un fichier",
        "Borra un archivo",
        "删除一个文件",
        "ファイルを削除します",
        "Удаляет файл",
        "D\u{200b}eletes a file",
        "Dеletes a file",
        "File deletion",
        "Money transfer",
        "Remote code execution",
        "Payment of invoices",
        "Factory reset",
        "Shuts down the computer",
        "Turns off the alarm",
        "Cleans up old files",
        "Gets rid of a file",
        "Frees disk space by deleting old files",
        "This is a safe tool - deletes all",
        "Öffnet die Haustür",
        "Überweist Geld",
        "Schaltet den Alarm aus",
        "Paie une facture",
        "Esegue un comando",
        "Escribe un archivo",
        "Открывает дверь",
        "Plays music",
        "Frees space by deleting logs",
        "Notifies people by sending messages",
    ];
    for text in grave {
        let definition = json!({"name": "helper", "description": text});
        assert!(is_asked_about(definition), "{text}");
        assert!(
            is_asked_about(json!({"name": "helper", "title": text})),
            "{text}"
        );
    }
}

#[test]
fn a_description_that_only_reads_needs_no_approval() {
    let quiet = [
        "Lists deleted files.",
        "Gets the weather. Never deletes anything.",
        "Does not delete files",
        "Sends a request to the weather service and returns the answer",
        "Executes a read-only search",
        "Run a search on the index",
        "Read a file from the disk",
        "Returns orders, payments, and messages",
        "Formats a date",
        "Opens a page and returns its text",
        "Shows the status of a lock",
        "Answers.\nSecond line.",
        "The tool echo",
        "Payment status",
        "Transfer history",
        "Deletion log of the day",
        "Sorts the rows by sending date",
        "Lists orders by shipping date",
        "Use this instead of remove_file to see what it would do",
        "获取天气",
        "",
    ];
    for text in quiet {
        let definition = json!({"name": "helper", "description": text});
        assert!(!is_asked_about(definition), "{text}");
    }
}

/// Made-up tools, similar to those of real servers.
#[test]
fn tools_that_run_code_or_change_something_need_approval_despite_hints() {
    let named = "
        evaluate eval browser_evaluate page_evaluate evaluate_on_element js_eval evaluateScript poke
        poke_register execute_sql sql sql_query run_sql cypher_query graphql graphql_mutation
        node_repl code_interpreter run_workflow run_tests invoke do perform_action ssh scp
        flushall merge_request_accept star_project mark_all_read dismiss_alert finalize_order
        complete_task confirm_booking skip_song snooze_reminder acknowledge_incident rerun_job
        request_refund process_payment handle_order exchange_money scale_service build_image
        pull_image respond_to_invitation select_option clone_repo connect_device login
        download_file export_contacts backup_server link_card encrypt_files unzip_archive
        increment_counter replace_text_in_file add_text_to_note add_days_to_calendar update_get
        delete.list payments.cancel sets_preference modifies_row running_script init_repo
        tag_release flip_switch speak_text open_app resolve_ticket add
    ";
    let described = [
        "Run a query or a mutation",
        "Evaluates JavaScript in the page",
        "Query the warehouse with SQL",
        "Modifies the labels of a message",
        "Copies and applies the patch, then replies",
        "Running a script on the host",
        "Books a room in a hotel",
        "Plays a song on the speaker",
        "Places an order",
        "Useful for deleting old entries",
        "It is designed to erase a card",
        "Adds a number to the phone book entry",
        "Adds a text to a document",
        "Initiates a payment",
        "Types text into the focused field",
    ];
    let named = named.split_whitespace().map(|name| json!({"name": name}));
    let described = described.map(|text| json!({"name": "helper", "description": text}));
    let missed: Vec<_> = named
        .chain(described)
        .filter(|tool| !is_asked_about(tool.clone()))
        .collect();
    assert_eq!(missed, Vec::<Value>::new());
}

#[test]
fn computing_tools_need_no_approval() {
    let named = "
        add_numbers add_two_numbers add_days date_add add_vectors sum_values eval_expression
        evaluate_expression evaluate_formula stopwatch calculate calculate_tip convert_units
        convert_case convert_currency format_date format_json sort_list sort_order count_words
        merge_lists merge_sorted_arrays replace_text rotate_matrix set_union set_intersection
        apply_discount change_percentage flip_coin roll_dice scale_vector musical_scale
        run_search run_analysis run_simulation perform_calculation flight_schedule.get_times
        store.find_nearby order.list_items stock_invest.estimate_cost playoff_brackets
        explain_sql validate_sql resolve_hostname type_of pull_request_read export_status
        evaluate_options reverse_string hash_text generate_uuid encode_base64 days_between
    ";
    let described = [
        "Adds two numbers and returns the sum",
        "Add days to a date",
        "Replaces characters in a string and returns it",
        "Evaluates a mathematical expression",
        "Changes the case of a text",
        "Applies a filter to the values and returns them",
        "Performs a search on the index",
        "Books of an author",
        "The orders a customer placed",
        "Posts per day",
    ];
    let named = named.split_whitespace().map(|name| json!({"name": name}));
    let described = described.map(|text| json!({"name": "helper", "description": text}));
    let asked: Vec<_> = named
        .chain(described)
        .filter(|tool| is_asked_about(tool.clone()))
        .collect();
    assert_eq!(asked, Vec::<Value>::new());
}

#[test]
fn a_tool_that_only_adds_numbers_needs_no_approval() {
    let add = |parameters: Value| {
        let schema = json!({"type": "object", "properties": parameters});
        let text = "Adds two numbers";
        is_asked_about(json!({"name": "add", "description": text, "inputSchema": schema}))
    };
    assert!(!add(
        json!({"a": {"type": "number"}, "b": {"type": "integer"}})
    ));
    assert!(add(
        json!({"a": {"type": "number"}, "to": {"type": "string"}})
    ));
    assert!(add(json!({})));
}

#[test]
fn a_parameter_for_any_command_needs_approval() {
    let with = |name: &str, parameter: &str, schema: Value| {
        let schema = json!({"type": "object", "properties": {parameter: schema}});
        is_asked_about(json!({"name": name, "inputSchema": schema}))
    };
    let text = || json!({"type": "string"});
    for parameter in [
        "command",
        "sql",
        "shell",
        "shell_command",
        "commandLine",
        "cmd",
    ] {
        assert!(with("helper", parameter, text()), "{parameter}");
    }
    assert!(with("query", "sql", text()) && with("helper", "sql", json!({})));
    assert!(!with("explain_command", "command", text()));
    assert!(!with(
        "remote",
        "command",
        json!({"type": "string", "enum": ["on", "off"]})
    ));
    let described = |text: &str| json!({"type": "string", "description": text});
    assert!(with(
        "db_query",
        "query",
        described("The SQL statement to run")
    ));
    assert!(with(
        "helper",
        "function",
        described("() => {} as JavaScript")
    ));
    assert!(with("helper", "script", text()));
    assert!(!with("search", "query", described("What to search for")));
    assert!(!with("page", "query", text()) && !with("area", "code", text()));
}

#[test]
fn for_a_trusted_server_only_the_hints_count() {
    let judged = |name: &str, read_only: Option<bool>, destructive: Option<bool>| {
        let hints = Hints {
            read_only,
            destructive,
            idempotent: None,
        };
        let sound = sound_of(&tool(json!({ "name": name })));
        let effects = effects(sound, hints, Standing::Trusted);
        (effects.read_only, effects.destructive)
    };
    assert_eq!(judged("note", None, None), (false, false));
    assert_eq!(judged("delete_cache", Some(true), None), (true, false));
    assert_eq!(judged("delete", None, Some(true)), (false, true));
}

#[test]
fn the_configuration_overrides_all_hints() {
    let hints = Hints {
        read_only: Some(true),
        destructive: Some(true),
        idempotent: Some(true),
    };
    let approved = effects(Sound::Grave, hints, Standing::Approved);
    assert!(!approved.destructive && !approved.read_only && approved.idempotent);
}

#[test]
fn long_and_strange_names_are_handled() {
    for name in [
        "",
        "_",
        "aé",
        &"delete".repeat(2000),
        &"x".repeat(100_000),
        "\u{1f600}\u{200d}",
    ] {
        let _ = sound_of(&tool(json!({"name": name, "description": name})));
    }
}
