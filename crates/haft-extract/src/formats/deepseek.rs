//! DeepSeek and GigaChat: full-width tokens around names and JSON in V3, a markup language of tags
//! (DSML) from V3.2 on.
//!
//! * The bars of the tokens come in any width, and `▁` as a blank or not at all.
//! * DSML says with `string="true"` which values are text; the others are JSON.
//!
//! Sources: the chat templates of the models, and the parsers of vLLM, SGLang, llama.cpp and Ollama
//! that read them. The page with tested examples is `docs/formats/deepseek.md`.

use super::record::Sign::Own;
use super::record::{Closing, Family, Record, Role, marker};
use crate::Format;

pub(super) static FAMILY: Family = Family {
    records: &[
        // <｜DSML｜ calls>
        // <｜DSML｜ invoke name="calculate">
        // <｜DSML｜ parameter name="expression" string="true">(3 + 4) * 2</｜DSML｜ parameter>
        // </｜DSML｜ invoke>
        // </｜DSML｜ calls>
        Record::new(Format::DeepseekV41, &["deepseek_v41"]).signs(&[Own(&["｜DSML｜ "])]),
        // <｜DSML｜function_calls>
        // <｜DSML｜invoke name="calculate">
        // <｜DSML｜parameter name="expression" string="true">(3 + 4) * 2</｜DSML｜parameter>
        // </｜DSML｜invoke>
        // </｜DSML｜function_calls>
        Record::new(Format::DeepseekV32, &["deepseek_v32"])
            .signs(&[Own(&["DSML", "function_calls"])]),
        // <｜DSML｜tool_calls>
        // <｜DSML｜invoke name="calculate">
        // <｜DSML｜parameter name="expression" string="true">(3 + 4) * 2</｜DSML｜parameter>
        // </｜DSML｜invoke>
        // </｜DSML｜tool_calls>
        Record::new(Format::DeepseekV4, &["deepseek_v4"])
            .signs(&[Own(&["DSML", "tool_calls"])])
            .names_its_calls(),
        // <｜GCML｜tool_calls>
        // <｜GCML｜invoke name="calculate">
        // <｜GCML｜parameter name="expression" string="true">(3 + 4) * 2</｜GCML｜parameter>
        // </｜GCML｜invoke>
        // </｜GCML｜tool_calls>
        Record::new(Format::Gigachat35, &["gigachat35"]).signs(&[Own(&["GCML"])]),
        // <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time
        // ```json
        // {"timezone": "Asia/Tokyo"}
        // ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
        Record::new(
            Format::DeepseekV3,
            &["deepseek_v3", "deepseek_r1", "cogito"],
        )
        .signs(&[Own(&["<｜tool▁sep｜>", "```json"])]),
        // <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "São Paulo", "days": 3, "unit": "celsius"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
        Record::new(Format::DeepseekV31, &["deepseek_v31"]).signs(&[Own(&["<｜tool▁sep｜>"])]),
        // <|function_call|>{"name": "search_files", "arguments": {"pattern": "*.rs", "max_results": 5}}
        Record::new(Format::Gigachat3, &["gigachat3"]).signs(&[
            Own(&["<|function_call|>"]),
            Own(&["function call<|role_sep|>"]),
        ]),
    ],
    markers: &[
        marker("dsmlcalls", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("dsmlfunctioncall", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("dsmlfunctioncalls", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("dsmlinvoke", Role::Invoke, Format::DeepseekV32),
        marker("dsmlparameter", Role::Parameter, Format::DeepseekV32),
        marker("dsmltool", Role::Invoke, Format::DeepseekV32),
        marker("dsmltoolcall", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("dsmltoolcalls", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("dsmltools", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("dsmltooluse", Role::Wrapper, Format::DeepseekV32).closed(Closing::Always),
        marker("gcmlcalls", Role::Wrapper, Format::Gigachat35).closed(Closing::Always),
        marker("gcmlfunctioncalls", Role::Wrapper, Format::Gigachat35).closed(Closing::Always),
        marker("gcmlinvoke", Role::Invoke, Format::Gigachat35),
        marker("gcmlparameter", Role::Parameter, Format::Gigachat35),
        marker("gcmltoolcalls", Role::Wrapper, Format::Gigachat35).closed(Closing::Always),
        marker("rolesep", Role::Separator, Format::Gigachat3),
        marker("toolcallbegin", Role::Wrapper, Format::DeepseekV3),
        marker("toolcallsbegin", Role::Wrapper, Format::DeepseekV3),
        marker("toolcallsend", Role::Close, Format::DeepseekV3),
        marker("toolsep", Role::Separator, Format::DeepseekV31),
    ],
};
