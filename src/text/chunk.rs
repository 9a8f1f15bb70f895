//! A text in chunks, by its format: rows and members of JSON, rows of tables, items and nodes under their heads, sentences in any script, lines
//! of code and logs. Each is a range of the text, and stands under a head that says what it belongs to. Knows no tool and no language; not
//! which chunks are worth keeping (`worth`).

use std::ops::Range;

use self::json::json;
use self::lines::lines;
use self::markup::markup;
use crate::text::hash::HashSet;
use crate::text::line::Breaks;

mod json;
mod lines;
mod markup;
mod nest;
mod table;

/// A line up to this many bytes is one chunk; a longer one is split into sentences, and what has none into pieces.
const LINE_BYTES: usize = 360;
const PIECE_BYTES: usize = 240;
/// Chunks of one text at most.
const MOST_CHUNKS: usize = 4_000;
/// A chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// Its head, of `Chunks::heads`.
    pub head: usize,
    /// How deep it stands: its distance from the beginning of a line, or of JSON.
    pub depth: u8,
}

/// The chunks of a text.
#[derive(Debug, Default)]
pub struct Chunks {
    /// In order.
    pub list: Vec<Chunk>,
    /// What chunks belong to: a heading, the first line of a table, what names an object. The first one is empty: what stands alone.
    pub heads: Vec<Vec<Range<usize>>>,
}

impl Chunks {
    /// The chunks that are only heads of others. What stands below a heading or the names of columns brings them along; alone they say nothing, unless
    /// it is the title of all. What opens a block, as the first line of a function does, says more.
    pub fn inner_heads(&self, text: &str) -> HashSet<usize> {
        let heads: HashSet<usize> = self.heads.iter().flatten().map(|range| range.start).collect();
        let opens = |range: &Range<usize>| text[range.clone()].trim_end().ends_with(['{', '(', '[', ':']);
        let is_head = |range: &Range<usize>| heads.contains(&range.start) && !opens(range);
        (1..self.list.len()).filter(|at| is_head(&self.list[*at].range)).collect()
    }

    fn push(&mut self, range: Range<usize>, head: usize, depth: usize) {
        if self.list.len() < MOST_CHUNKS {
            self.list.push(Chunk { range, head, depth: depth.min(9) as u8 });
        }
    }

    /// A new head; the same one where it adds nothing.
    fn head(&mut self, ranges: Vec<Range<usize>>, outer: usize) -> usize {
        if ranges.is_empty() || self.heads.len() >= MOST_CHUNKS {
            return outer;
        }
        self.heads.push(ranges);
        self.heads.len() - 1
    }
}

/// The chunks of a text, in order.
pub fn chunks(text: &str) -> Chunks {
    let mut chunks = Chunks { heads: vec![Vec::new()], ..Chunks::default() };
    let trimmed = text.len() - text.trim_start().len()..text.trim_end().len();
    if trimmed.is_empty() || json(text, trimmed.clone(), 0, 0, &mut chunks) {
        return chunks;
    }
    // Lines may stand above XML, such as what a fetch says of itself.
    let below = || text.find("\n<").map(|at| at + 1).filter(|at| *at <= LINE_BYTES);
    let from = if text[trimmed.clone()].starts_with('<') { Some(trimmed.start) } else { below() };
    if let Some(from) = from {
        lines(text, 0..from, Breaks::Plain, (0, 0), &mut chunks);
        if markup(text, from..trimmed.end, (0, 0), &mut chunks) {
            return chunks;
        }
        chunks = Chunks { heads: vec![Vec::new()], ..Chunks::default() };
    }
    lines(text, 0..text.len(), Breaks::Plain, (0, 0), &mut chunks);
    chunks
}

/// A text that is one chunk as a whole.
pub fn whole(text: &str) -> Chunks {
    Chunks { list: vec![Chunk { range: 0..text.len(), head: 0, depth: 0 }], heads: vec![Vec::new()] }
}

/// A head of its own below another one.
fn under(base: usize, own: Range<usize>, chunks: &mut Chunks) -> usize {
    let ranges = chunks.heads[base].iter().cloned().chain([own]).collect();
    chunks.head(ranges, base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::written::written;

    fn of(text: &str) -> Vec<(String, String)> {
        let Chunks { list, heads, .. } = chunks(text);
        let head = |at: usize| heads[at].iter().map(|range| written(&text[range.clone()])).collect::<Vec<_>>().join(", ");
        list.into_iter().map(|chunk| (head(chunk.head), written(&text[chunk.range]))).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(head, text)| ((*head).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn json_is_parted_into_rows_under_what_names_them() {
        let pad = "x".repeat(190);
        let text = format!(
            r#"{{"hits":[{{"id":"A-1","url":"https://a.test/1","snippet":"{pad} one","note":"{pad}","year":2024}},{{"id":"B-2","price":20}}],"total":12,"next":null,"page":{{"n":1}}}}"#
        );
        let parts = of(&text);
        assert!(
            parts.iter().any(|(head, text)| head.contains("id: A-1") && head.contains("url: https://a.test/1") && text == "year: 2024"),
            "{parts:?}"
        );
        assert!(parts.contains(&("hits:".into(), "id: B-2, price: 20".into())), "{parts:?}");
        assert!(parts.contains(&(String::new(), "total: 12".into())), "{parts:?}");
        assert!(!parts.iter().any(|(_, text)| text.contains("next")), "{parts:?}");
        // A small answer is one row, whole.
        assert_eq!(of(r#"{"ok":true,"refundId":"re_1","amount":20}"#), pairs(&[("", "amount: 20, ok: true, refundId: re_1")]));
    }

    /// The head of the first chunk that holds a text.
    fn head_of(text: &str, part: &str) -> String {
        of(text).into_iter().find(|(_, chunk)| chunk.contains(part)).map_or("none".into(), |(head, _)| head)
    }

    #[test]
    fn a_value_of_json_says_under_which_key_it_stands_whatever_the_keys_are() {
        let pad = "x".repeat(150);
        let drug = |name: &str| format!(r#"{{"name":"{name}","note":"{pad}"}}"#);
        let year = |year: u32| format!(r#""{year}":{{"profit":{year}.5,"note":"{pad}"}}"#);
        let body = |text: &str| format!(r#""body":{{"type":"text","text":"{}"}}"#, text.repeat(60));
        let mail =
            |id: u32, text: &str| format!(r#"{{"thread":"AAQkqCKAZAEyVETN6qro","id":"M-{id}","subject":"It is {id}",{}}}"#, body(text));
        for (text, part, head, chunk) in [
            // A mail is named by its subject and id, and not by its longest codes.
            (format!("[{},{}]", mail(1, "Late. "), mail(2, "Well. ")), "Well", "id: M-2, subject: It is 2", "Well."),
            (
                format!(r#"{{"id":"P-1","forbidden":[{},{}],"given":[{}]}}"#, drug("aspirin"), drug("ibuprofen"), drug("paracetamol")),
                "ibuprofen",
                "id: P-1, forbidden:",
                "name: ibuprofen",
            ),
            (format!("{{{},{},{}}}", year(2022), year(2023), year(2024)), "2023.5", "", "2023: ("),
            (
                format!(r#"{{"id":"G-1","advised":"{}","forbidden":"{}"}}"#, "Give it. ".repeat(60), "Never do. ".repeat(60)),
                "Never",
                "id: G-1, forbidden:",
                "Never do.",
            ),
        ] {
            let found = of(&text).into_iter().find(|(_, chunk)| chunk.contains(part)).unwrap_or_default();
            assert!(found.0 == head && found.1.contains(chunk), "{found:?}");
        }
    }

    #[test]
    fn rows_of_json_stand_under_the_names_of_their_columns_wherever_these_stand() {
        let rows = |row: &str| vec![row; 30].join(",");
        for (text, head) in [
            (
                format!(r#"{{"columns":["city","year","sold"],"rows":[{}]}}"#, rows(r#"["Turku",2023,201.5]"#)),
                "rows:, columns: [city, year, sold]",
            ),
            (
                format!(
                    r#"{{"rows":[{}],"schema":{{"fields":[{{"name":"city","type":"S"}},{{"name":"sold","type":"S"}}]}}}}"#,
                    rows(r#"{"f":[{"v":"Turku"},{"v":"201.5"}]}"#)
                ),
                "rows:, city, sold",
            ),
            (
                format!(r#"{{"range":"A1:C31","values":[["City","Year","Sold"],{}]}}"#, rows(r#"["Turku","2023","201.5"]"#)),
                "range: A1:C31, values:, City, Year, Sold",
            ),
            (format!(r#"{{"line":[{}]}}"#, rows("[24.9,60.2,201.5]")), "line:"),
        ] {
            assert_eq!(head_of(&text, "201.5"), head);
        }
        let times: Vec<String> = (0..60).map(|at| format!(r#""10:{at:02}""#)).collect();
        let flows: Vec<String> = (0..60).map(|at| format!("{}.25", 1_000 + at)).collect();
        let series = format!(r#"{{"time":[{}],"flow":[{}]}}"#, times.join(","), flows.join(","));
        let head = head_of(&series, "1031.25");
        assert!(head.starts_with("flow:") && head.contains("10:31") && !head.contains("10:59"), "{head}");
        assert!(of(&series).iter().all(|(_, chunk)| !chunk.contains("10:31")), "times alone say nothing");
    }

    #[test]
    fn a_line_stands_below_all_that_it_needs_to_be_understood() {
        for (text, part, head) in [
            ("Not with warfarin:\n- aspirin\n\nMay be given:\n\n- paracetamol", "paracetamol", "May be given:"),
            ("**Excluded:**\nIran\nSyria", "Syria", "**Excluded:**"),
            ("Athens:\n  2022:\n    flow: 7\n    price: 5\nPatras:\n  2022:\n    flow: 8", "price", "Athens:, 2022:"),
            (
                "- id: 1\n  free:\n    - tea\n  banned:\n    - rum\n- id: 2\n  free:\n    - rum\n  banned:\n    - tea",
                "rum",
                "- id: 1, banned:",
            ),
            ("pots:\n- kind: clay\n  name: A7\n  size: 4\n- kind: clay\n  name: B9\n  size: 5", "size: 5", "- kind: clay, name: B9"),
            ("[cache]\npool = 12\n", "pool", "[cache]"),
            ("## Exports\n\n### 2023\nTea rose.", "Tea", "## Exports, ### 2023"),
            ("== Climate ==\nIt is warm.", "warm", "== Climate =="),
            (
                "On 13 March Anna wrote:\n\n> 1,090 is our limit.\n>\n> On 12 March Ben wrote:\n>\n>> 1,180 is our offer.",
                "1,180",
                "> On 12 March Ben wrote:",
            ),
        ] {
            assert_eq!(head_of(text, part), head, "{:?}", of(text));
        }
    }

    #[test]
    fn a_row_stands_under_what_its_table_is_of_and_never_under_another_row() {
        for (text, part, head) in [
            ("## Table 4. Exports (kt)\n\n| land | 2023 |\n|---|---|\n| Laos | 311 |", "311", "## Table 4. Exports (kt), | land | 2023 |"),
            ("Väestö\nYksikkö: 1 000\n\nAlue;2022;2023\nTurku;197,9;201,9", "Turku", "Väestö Yksikkö: 1 000, Alue;2022;2023"),
            ("Sales 1,240,311\nCosts 1,100,220\nTax 1,020,112", "Tax", ""),
            ("Helsinki 658,5 664,9\nTurku 195,1 197,9", "Turku", ""),
            ("|-\n! Year !! People !! Men\n|-\n| 1981 || 44,829 || 7\n|-\n| 2021 || 64,896 || 8", "64,896", "! Year !! People !! Men"),
            (
                "(in thousands)\n\n              2023      2022\nSales        8,440     7,190\nCosts       (5,223)   (4,018)\n\nTax           (120)      (95)",
                "120",
                "(in thousands), 2023      2022",
            ),
        ] {
            assert_eq!(head_of(text, part), head, "{:?}", of(text));
        }
        let wide = format!("| {} |\n|{}\n| {} |", ["स्तंभ"; 9].join(" | "), "---|".repeat(9), ["उत्तर प्रदेश में"; 9].join(" | "));
        assert_eq!(of(&wide).len(), 2, "a row is whole in any script");
    }

    #[test]
    fn lines_stand_under_what_they_belong_to() {
        assert_eq!(
            of("# Prices\n| item | eur | kg |\n|---|---|---|\n| tea | 4 | 1 |\n\n- list:\n  - one item\n"),
            pairs(&[
                ("", "# Prices"),
                ("# Prices", "| item | eur | kg |"),
                ("# Prices, | item | eur | kg |", "| tea | 4 | 1 |"),
                ("# Prices", "- list:"),
                ("- list:", "- one item"),
            ])
        );
        assert_eq!(of("clinic,rows,budget\nnorth,12,66\n"), pairs(&[("", "clinic,rows,budget"), ("clinic,rows,budget", "north,12,66")]));
        assert_eq!(of("fn a() {\n    one();\n}\n"), pairs(&[("", "fn a() {"), ("fn a() {", "one();")]));
    }

    #[test]
    fn long_lines_are_parted_by_sentences_in_any_script() {
        let text = "最初の文です。".repeat(60);
        let parts = of(&text);
        assert!(parts.len() > 4 && parts.iter().all(|(_, part)| part.ends_with('。') && part.len() <= PIECE_BYTES), "{parts:?}");
        let json = format!(r#"{{"title":"T","body":"{}"}}"#, "A first sentence with words. ".repeat(30));
        assert!(of(&json).iter().any(|(head, text)| head == "title: T" && text.starts_with("A first")), "{:?}", of(&json));
    }

    #[test]
    fn what_only_begins_and_ends_like_json_loses_nothing() {
        let orders: String = (0..40).map(|at| format!("{{\"id\":\"ORD-{at}\",\"status\":\"paid\"}}\n")).collect();
        let rows = of(&orders);
        assert!(rows.len() == 40 && rows.contains(&(String::new(), "id: ORD-31, status: paid".into())), "{rows:?}");
        // A line that is broken costs itself alone.
        assert_eq!(of("{\"id\":1}\n{\"id\":2\n{\"id\":3}"), pairs(&[("", "id: 1"), ("", "{\"id\":2"), ("", "id: 3")]));
        assert_eq!(of("[INFO] start\njob-7 failed\n[done]"), pairs(&[("", "[INFO] start"), ("", "job-7 failed"), ("", "[done]")]));
        assert_eq!(of("[Home](/)\nOpen all day\n[Imprint]"), pairs(&[("", "[Home](/)"), ("", "Open all day"), ("", "[Imprint]")]));
    }

    #[test]
    fn rows_stand_under_the_names_of_their_columns_however_a_table_is_drawn() {
        let first_row = |text: &str| of(text).into_iter().find(|(_, row)| row.contains("434.1")).unwrap_or_default();
        for (table, names) in [
            (
                "  year | region | gross\n-------+--------+-------\n  2019 | Norte  | 434.1\n  2020 | Sur    | 93.0\n(2 rows)",
                "year | region | gross",
            ),
            (" region | gross\n--------+-------\n Norte  | 434.1\n", "region | gross"),
            ("+------+--------+\n| year | gross  |\n+------+--------+\n| 2019 | 434.1  |\n+------+--------+", "| year | gross  |"),
            (
                "┌───────┬────────┐\n│ year  │ gross  │\n│ int32 │ double │\n├───────┼────────┤\n│ 2019  │ 434.1  │\n└───────┴────────┘",
                "│ year  │ gross  │ │ int32 │ double │",
            ),
            ("      year  region  gross\n0     2019   Norte  434.1\n1     2020     Sur   93.0\n", "year  region  gross"),
            ("=====  ======\nyear   gross\n=====  ======\n2019   434.1\n2020   93.0\n=====  ======\n", "year   gross"),
            ("NAME       STATUS    AGE\nweb-434.1  Running   3d\n", "NAME       STATUS    AGE"),
            ("name,note,gross\n\"a, b\",x,434.1\n", "name,note,gross"),
        ] {
            assert_eq!(first_row(table).0, names, "{table}\n{:?}", of(table));
        }
        let page = format!(
            r##"{{"id":"A-1","page":"# Sales\n\n| year | gross |\n|---|---|\n| 2019 | 434.1 |\n{}"}}"##,
            r"| 2020 | 93.0 |\n".repeat(30)
        );
        assert_eq!(first_row(&page).0, "id: A-1, # Sales, | year | gross |");
        // Lines of a log stand in columns, too, but the first one is a line like the others.
        let log = of("2024-01-02  INFO  start  434.1\n2024-01-03  INFO  stop  93\n");
        assert!(log.iter().all(|(head, _)| head.is_empty()), "{log:?}");
    }

    #[test]
    fn a_heading_may_be_a_line_above_a_rule() {
        assert_eq!(of("Prices\n======\ntea 4 eur\n"), pairs(&[("", "Prices"), ("Prices", "tea 4 eur")]));
    }

    #[test]
    fn lines_that_are_records_or_code_stay_lines() {
        for text in [
            "10:01 job-4701 failed with code E1 on the second of hosts\n10:02 job-4702 failed with code E2 on the second of hosts\n10:03 job-4703 failed with code E3 on the second of hosts",
            "order 4711 was shipped to the harbour of the city today\norder 4712 was shipped to the station of the city today\norder 4713 was shipped to the airport of the city today",
            "a1b2c3d fix the parser of dates that have no year at all\nb2c3d4e fix the writer of dates that have no year at all\nc3d4e5f fix the reader of dates that have no year at all",
            "- tea from the mountains of the north, four euros a box\n- ink from the workshops of the south, six euros a box\n- oil from the orchards of the west, nine euros a litre",
            "let first = parse(&text, &options, &mut findings, 12);\nlet second = parse(&other, &options, &mut findings, 9);\nlet third = parse(&text, &others, &mut findings, 1);",
        ] {
            assert_eq!(chunks(text).list.len(), 3, "{:?}", of(text));
        }
    }

    #[test]
    fn a_part_stands_under_what_names_its_group_where_the_line_above_it_names_nothing() {
        let article = |name: &str, price: &str| {
            format!(
                "  - article [ref=e{price}]:\n    - heading \"{name}\" [level=3]\n    - text: {price} €\n    - group:\n      - text: in stock\n"
            )
        };
        let page = format!("- main:\n{}{}", article("Kerner W795", "645"), article("Domeo L399", "395"));
        let parts = of(&page);
        assert!(parts.contains(&("- article [ref=e395]:, - heading \"Domeo L399\" [level=3]".into(), "- text: 395 €".into())), "{parts:?}");
        assert!(!parts.iter().any(|(_, part)| part.starts_with("- article") || part == "- group:"), "{parts:?}");
    }

    #[test]
    fn every_word_of_a_text_stands_in_a_chunk_or_in_a_head() {
        let pieces = [
            "{\"id\":\"ORD-1\",\"total\":20}",
            "[INFO] the job began",
            "[Home](/start) and more]",
            "| item | price |\n|------|-------|\n| tea | 4 |",
            " year | gross\n------+------\n 2019 | 434.1",
            "NAME   STATUS   AGE\nweb-1  Running  3d",
            "## A heading",
            "Title\n=====",
            "- list of things:\n  - first thing\n  - second thing",
            "fn a() {\n    one();\n}",
            "A line of prose that is full and goes on in the next line, which\nis shorter than that. It ends here, and another line of the prose\nfollows it until the end.",
            "a,b,c\n1,2,3\n4,5,6",
            "最初の文です。次の文です。",
            "",
            "{\"open\":[1,2",
            "tail}",
        ];
        let mut chance = 7u64;
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..5 {
                chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(chance >> 33) as usize % pieces.len()]);
                text.push_str(["\n", "\n\n", " "][(chance >> 20) as usize % 3]);
            }
            let parts = chunks(&text);
            let mut is_covered = vec![false; text.len()];
            let ranges = parts.list.iter().map(|chunk| &chunk.range).chain(parts.heads.iter().flatten());
            ranges.for_each(|range| is_covered[range.clone()].fill(true));
            let lost: String =
                text.char_indices().filter(|(at, letter)| letter.is_alphanumeric() && !is_covered[*at]).map(|(_, letter)| letter).collect();
            assert_eq!(lost, "", "{text}");
        }
    }

    #[test]
    fn no_text_breaks_the_parting() {
        for text in ["", "{", "[[[[", "{\"a\":", "{\"a\":}", "[1,]", "\"", "{}", "[]", "{\"a\" \"b\"}", "｛", "|||\n|||", "{\"a\":\"\\\"}"]
        {
            let parts = chunks(text);
            let is_part = |range: &Range<usize>| text.get(range.clone()).is_some();
            assert!(parts.list.iter().all(|part| is_part(&part.range)) && parts.heads.iter().flatten().all(is_part), "{text}");
        }
    }
}
