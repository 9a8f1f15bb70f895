//! XML in chunks: elements that repeat are rows, short runs of others are one chunk, and long texts stand under what names their element.
//! Reads tags alone and knows hardly any vocabulary. What does not nest is not read, but for pages of HTML within JSON.

use std::ops::Range;

use super::lines::line_or_sentences;
use super::lines::lines;
use super::{Chunks, LINE_BYTES, under};
use crate::text::hash::{HashMap, mix};
use crate::text::line::Breaks;
use crate::text::markup::{Element, Nesting, elements, inner, is_blank, is_page, said_in_page};
use crate::text::order::sort_by_numbers;

/// An element up to this many bytes is one row, if it holds no rows itself: tags take about as much as what they hold.
const ROW_BYTES: usize = 700;
/// The same of a page.
const PAGE_ROW_BYTES: usize = 420;
/// A shorter element beside others says little alone.
const SMALL_BYTES: usize = 160;
/// An element is named by so many parts, none longer than this.
const NAMES: usize = 3;
const NAME_BYTES: usize = 240;
/// Deepest element that is split.
const LEVELS: usize = 24;

/// The chunks of a range that is XML from its beginning to its end, or to where it was cut. False where it is not, and then there are no new chunks.
pub(super) fn markup(text: &str, range: Range<usize>, breaks: Breaks, base: (usize, usize), chunks: &mut Chunks) -> bool {
    let elements = if text[range.clone()].starts_with('<') { elements(text, range, Nesting::Strict) } else { None };
    let Some(elements) = elements.filter(|elements| !elements[0].has_text) else { return false };
    let above = Above { head: base.0, names: chunks.heads[base.0].iter().map(|range| (range.clone(), true)).collect() };
    let mut times: HashMap<u64, u32> = HashMap::default();
    for element in elements.iter().filter(|element| !element.name.is_empty() && element.range.len() <= NAME_BYTES) {
        *times.entry(mix(element.level as u64, text[element.range.clone()].as_bytes())).or_default() += 1;
    }
    Markup { text, elements, times, breaks, chunks }.split(0, 0, base.1, &above, false);
    true
}

/// The chunks of a page in a text of JSON, such as that of a mail: the sentences of each element with a text of its own, and rows under the
/// names of their columns. False where it is no page, and then there are no new chunks.
pub(super) fn page(text: &str, range: Range<usize>, base: (usize, usize), chunks: &mut Chunks) -> bool {
    let elements = if is_page(&text[range.clone()]) { elements(text, range, Nesting::Loose) } else { None };
    let Some(elements) = elements else { return false };
    let mut columns = base.0;
    for element in said_in_page(&elements, (PAGE_ROW_BYTES, SMALL_BYTES)) {
        let row = &text[element.range.clone()];
        let (has_names, has_values) = (row.contains("<th"), row.contains("<td"));
        if element.has_text || element.name.is_empty() {
            line_or_sentences(text, element.content.clone(), base.0, base.1, chunks);
        } else if has_names && !has_values {
            columns = under(base.0, element.range.clone(), chunks);
        } else {
            chunks.push(element.range.clone(), if has_values && !has_names { columns } else { base.0 }, base.1);
        }
    }
    true
}

/// What an element stands below: parts of a head, and whether each of them also stands above elements that have a name of their own.
#[derive(Clone)]
struct Above {
    head: usize,
    names: Vec<(Range<usize>, bool)>,
}

struct Markup<'t, 'c> {
    text: &'t str,
    elements: Vec<Element<'t>>,
    /// How often a short element stands in the text on its level.
    times: HashMap<u64, u32>,
    breaks: Breaks,
    chunks: &'c mut Chunks,
}

impl Markup<'_, '_> {
    /// The chunks of what is in an element. `is_row`: it stands beside others of its name.
    fn split(&mut self, of: usize, level: usize, depth: usize, above: &Above, is_row: bool) {
        let inner = self.inner(of);
        let mut times: HashMap<&str, usize> = HashMap::default();
        inner.iter().for_each(|at| *times.entry(self.elements[*at].name).or_default() += 1);
        let repeats = |name: &str| times.get(name).is_some_and(|times| *times > 1);
        let names = self.names(of, &inner, &repeats);
        let own = self.below(above, &names, is_row);
        let is_sole = inner.iter().filter(|at| self.elements[**at].range.len() > SMALL_BYTES).nth(1).is_none();
        let before = self.chunks.list.len();
        let tag = self.tag(of);
        if of > 0 && tag.len() > NAME_BYTES && self.has_attributes(of) {
            line_or_sentences(self.text, tag, own.head, depth, self.chunks);
        }
        let mut run: Option<Range<usize>> = None;
        for at in inner {
            let (range, name) = (self.elements[at].range.clone(), self.elements[at].name);
            if self.is_empty(at) {
                continue;
            }
            let is_named = is_row && names.contains(&range);
            let is_one_of_many = repeats(name);
            let is_short = range.len() <= SMALL_BYTES && !name.is_empty() && !(is_one_of_many && self.is_record(at));
            if let Some(run) = run.as_mut().filter(|run| is_short && !is_named && range.end - run.start <= LINE_BYTES) {
                run.end = range.end;
                continue;
            }
            self.run(run.take(), &names, (above, &own), depth);
            match () {
                () if is_named => {}
                () if is_short => run = Some(range),
                () => self.element(at, (level + 1, depth), &own, (is_one_of_many, is_sole)),
            }
        }
        self.run(run, &names, (above, &own), depth);
        // What has only names is a row by these.
        if self.chunks.list.len() == before
            && let (Some(first), Some(last)) = (names.first(), names.last())
        {
            self.chunks.push(first.start..last.end, above.head, depth);
        }
    }

    /// A run of short elements, which stands below the names of the one around it where it does not hold them.
    fn run(&mut self, run: Option<Range<usize>>, names: &[Range<usize>], (above, own): (&Above, &Above), depth: usize) {
        if let Some(run) = run {
            let holds_name = names.iter().any(|name| run.contains(&name.start));
            self.chunks.push(run, if holds_name { above.head } else { own.head }, depth);
        }
    }

    fn element(&mut self, at: usize, (level, depth): (usize, usize), above: &Above, (is_row, is_sole): (bool, bool)) {
        let Element { name, ref range, ref content, has_text, .. } = self.elements[at];
        let (range, content, inner) = (range.clone(), content.clone(), self.inner(at));
        let is_text = has_text || inner.is_empty();
        let is_whole =
            if is_text { range.len() <= LINE_BYTES && !name.is_empty() } else { range.len() <= ROW_BYTES && !self.holds_more(at, is_row) };
        if is_whole {
            return self.chunks.push(range, above.head, depth);
        }
        // What only wraps all there is tells nothing apart.
        let has_key = !is_row && !is_sole || is_text && self.has_attributes(at);
        let key = Some(self.tag(at)).filter(|tag| has_key && tag.len() <= NAME_BYTES);
        let above = self.below(above, key.as_slice(), true);
        let depth = depth + usize::from(is_row || has_key);
        if is_text && !content.is_empty() {
            lines(self.text, content, self.breaks, (above.head, depth), self.chunks);
        } else if is_text || level >= LEVELS {
            lines(self.text, range, self.breaks, (above.head, depth), self.chunks);
        } else {
            self.split(at, level, depth, &above, is_row);
        }
    }

    /// What names an element: its tag, if it has attributes, and of its short texts those that look most like a name, in their order.
    fn names(&self, of: usize, inner: &[usize], repeats: &dyn Fn(&str) -> bool) -> Vec<Range<usize>> {
        let tag = Some(self.tag(of)).filter(|tag| of > 0 && tag.len() <= NAME_BYTES && self.has_attributes(of));
        let texts =
            inner.iter().filter(|at| !repeats(self.elements[**at].name)).map(|at| (self.rank(*at), self.elements[*at].range.clone()));
        let mut best: Vec<(u8, Range<usize>)> =
            tag.map(|tag| (u8::MAX, tag)).into_iter().chain(texts).filter(|(rank, _)| *rank > 0).collect();
        sort_by_numbers(&mut best, |(rank, range)| [-i64::from(*rank), range.start as i64, 0]);
        best.truncate(if of > 0 { NAMES } else { 0 });
        sort_by_numbers(&mut best, |(_, range)| [range.start as i64, 0, 0]);
        best.into_iter().map(|(_, range)| range).collect()
    }

    /// How much an element looks like the name of the one around it; zero is not at all.
    fn rank(&self, at: usize) -> u8 {
        let Element { name, range, content, level, .. } = &self.elements[at];
        let value = self.text[content.clone()].trim();
        if !self.inner(at).is_empty() || name.is_empty() || range.len() > NAME_BYTES || matches!(value, "" | "true" | "false") {
            return 0;
        }
        let is_word = value.chars().any(char::is_alphabetic);
        let (is_url, is_id) = (value.starts_with("http"), name.to_ascii_lowercase().ends_with("id"));
        let is_own = self.times.get(&mix(*level as u64, self.text[range.clone()].as_bytes())) == Some(&1);
        1 + u8::from(is_word)
            + 2 * u8::from(is_word && value.contains(' '))
            + 3 * u8::from(is_id)
            + 4 * (u8::from(is_url) + u8::from(is_own))
    }

    /// A head below another one.
    fn below(&mut self, above: &Above, names: &[Range<usize>], stays: bool) -> Above {
        if names.is_empty() {
            return above.clone();
        }
        let kept = above.names.iter().filter(|(_, stays)| *stays).cloned();
        let names: Vec<_> = kept.chain(names.iter().map(|range| (range.clone(), stays))).collect();
        let head = self.chunks.head(names.iter().map(|(range, _)| range.clone()).collect(), above.head);
        Above { head, names }
    }

    /// Whether an element says more than one thing.
    fn is_record(&self, at: usize) -> bool {
        let signs = self.text[self.tag(at)].bytes().filter(|byte| matches!(byte, b'"' | b'\'')).count();
        self.inner(at).len() > 1 || signs > 2
    }

    /// Whether a short element holds a long text, or rows though it is none itself, however deep.
    fn holds_more(&self, of: usize, is_row: bool) -> bool {
        let is_before_one_of_its_name = |at: usize| {
            let (element, next) = (&self.elements[at], self.elements[at].next);
            let beside = self.elements.get(next).filter(|other| next < self.elements[of].next && other.name == element.name);
            beside.is_some_and(|other| !self.text[element.range.end..other.range.start].contains("</"))
        };
        let is_long = |at: usize| self.elements[at].range.len() > LINE_BYTES && self.inner(at).is_empty();
        let mut below = of + 1..self.elements[of].next;
        below.any(|at| is_long(at) || !is_row && is_before_one_of_its_name(at) && self.is_record(at))
    }

    fn is_empty(&self, at: usize) -> bool {
        is_blank(&self.text[self.elements[at].content.clone()]) && !self.has_attributes(at)
    }

    fn tag(&self, at: usize) -> Range<usize> {
        self.elements[at].range.start..self.elements[at].content.start
    }

    /// Whether its tag says more than its name and where names come from.
    fn has_attributes(&self, at: usize) -> bool {
        let tag = &self.text[self.tag(at)];
        tag.matches('=').count() > tag.matches("xmlns").count()
    }

    /// The elements right in another one; none of a text with marks in it.
    fn inner(&self, of: usize) -> Vec<usize> {
        if self.elements[of].has_text { Vec::new() } else { inner(&self.elements, of).collect() }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::chunk::chunks;

    /// The first chunk that holds a text, below its head.
    fn found(text: &str, part: &str) -> (String, String) {
        let parts = chunks(text);
        let of = |range: &std::ops::Range<usize>| text[range.clone()].to_owned();
        let chunk = parts.list.iter().find(|chunk| text[chunk.range.clone()].contains(part));
        let chunk =
            chunk.unwrap_or_else(|| panic!("{part} is lost: {:?}", parts.list.iter().map(|chunk| of(&chunk.range)).collect::<Vec<_>>()));
        (parts.heads[chunk.head].iter().map(of).collect::<Vec<_>>().join(" "), of(&chunk.range))
    }

    #[test]
    fn what_an_element_says_stands_under_the_name_of_its_own_row() {
        let entry = |id: u32, title: &str, author: &str| {
            format!(
                "<entry><id>http://a.test/abs/{id}</id><published>2024-01-0{id}</published><title>{title}</title><summary>{}</summary><author><name>{author}</name></author><author><name>Other {author}</name></author></entry>",
                format!("A sentence about {title} and more. ").repeat(20)
            )
        };
        let atom = format!(
            "<?xml version=\"1.0\"?><feed xmlns=\"http://w.test/Atom\"><title>Hits</title>{}{}</feed>",
            entry(1, "Deep rivers", "Ann Lee"),
            entry(2, "Wide lakes", "Bo Kim")
        );
        let rss = "<?xml version='1.0'?>\n<rss version=\"2.0\"><channel><title>News</title><item><title>Tea rises</title><guid>n1</guid><price>4.10</price></item><item><title>Ink falls</title><guid>n2</guid><price>3.20</price></item></channel></rss>";
        let bank = |id: u32, amount: &str, party: &str| {
            format!(
                "<Ntry><NtryRef>{id}</NtryRef><Amt Ccy=\"EUR\">{amount}</Amt><NtryDtls><TxDtls><RltdPties><Cdtr><Nm>{party}</Nm></Cdtr></RltdPties><Refs>{}</Refs></TxDtls></NtryDtls></Ntry>",
                "<EndToEndId>NOTPROVIDED AT ALL</EndToEndId>".repeat(16)
            )
        };
        let camt = format!(
            "<Document><Stmt><Acct>DE02</Acct>\n{}\n{}\n</Stmt></Document>",
            bank(71, "1180.00", "Weber KG"),
            bank(72, "95.50", "Mohn AG")
        );
        let in_json = format!("{{\"status\":200,\"body\":\"{}\"}}", atom.replace('"', "\\\""));
        let cut = &atom[..atom.rfind("Wide lakes and").unwrap_or_default()];
        let below = format!("HTTP/1.1 200 OK\n\n{atom}\n");
        for (text, part, above, not) in [
            (atom.as_str(), "Bo Kim", "<title>Wide lakes</title>", "rivers"),
            (&atom, "about Deep rivers", "<title>Deep rivers</title>", "lakes"),
            (&atom, "Hits", "", "rivers"),
            (&in_json, "Bo Kim", "<title>Wide lakes</title>", "rivers"),
            (cut, "about Wide lakes", "<title>Wide lakes</title>", "rivers"),
            (&format!("{atom} [cut, 300 more]"), "Bo Kim", "<title>Wide lakes</title>", "rivers"),
            (&below, "Ann Lee", "<title>Deep rivers</title>", "lakes"),
            (&below, "200 OK", "", "rivers"),
            (rss, "3.20", "", "Tea"),
            (&camt, "Mohn AG", "<NtryRef>72</NtryRef> <Amt Ccy=\"EUR\">95.50</Amt>", "Weber"),
            (&format!("<t>{}<r id=\"x\" v=\"5\"/></t>", "<r id=\"y\" v=\"4\"/>".repeat(20)), "\"5\"", "", "\"4\""),
        ] {
            let (head, chunk) = found(text, part);
            assert!(head.contains(above) && !head.contains(not) && !chunk.contains(not), "{part}: {head} | {chunk}");
        }
        assert_eq!(found(rss, "3.20").1.matches("item>").count(), 2, "a short element is one row");
    }

    #[test]
    fn a_mail_in_json_is_read_by_its_paragraphs_and_the_rows_of_its_tables() {
        let row = |cells: [&str; 2], cell: &str| format!("<tr><{cell}>{}</{cell}><{cell}>{}</{cell}></tr>", cells[0], cells[1]);
        let mail = format!(
            "<html><head><meta charset='utf-8'><style>p {{ margin: 0 }}</style></head><body><p>Dear Ann,</p><ol><li><p>The ceiling is <b>15,000 JOD, tax included</b>, and not more.</p></li><li><p>Stone must come {}</p></li></ol><table>{}{}{}</table><p>Bye<br>Sami</p></body></html>",
            "before <b>15/01</b>, since the mason leaves. ".repeat(6),
            row(["Stone", "Price"], "th"),
            row(["Maan M-2290", "24.750"], "td"),
            row(["Maan M-2291, rough", "31.500"], "td"),
        );
        let facts = format!(
            "<div><table>{}{}</table></div>",
            "<tr><th>Deposit</th><td>30 %</td></tr>", "<tr><th>Valid until</th><td>24/11</td></tr>"
        );
        let facts = format!(r#"{{"body":"{facts}<p>{}"}}"#, "More of the same. ".repeat(40));
        assert!(
            found(&facts, "24/11").1.contains("Valid until") && found(&facts, "30 %").1.contains("Deposit"),
            "a name stands with its value"
        );
        let text = format!(r#"{{"id":"M-1","body":{{"content":"{mail}"}}}}"#);
        assert_eq!(found(&text, "15,000").1, "The ceiling is <b>15,000 JOD, tax included</b>, and not more.");
        let (head, row) = found(&text, "31.500");
        assert!(head.contains("<th>Price</th>") && row.contains("rough") && !row.contains("24.750"), "{head} | {row}");
        assert!(!chunks(&text).list.iter().any(|chunk| text[chunk.range.clone()].contains("margin")));
    }

    #[test]
    fn what_does_not_nest_is_read_as_lines_and_nothing_breaks_the_parting() {
        let page = "<!doctype html>\n<html><body>\n<p>First line\n<p>Second <br> line\n</body></html>";
        assert_eq!(found(page, "Second").1, "<p>Second <br> line");
        for text in
            ["<", "<a", "<a>", "</a>", "<a><b></a>", "<!--", "<![CDATA[", "<a x='", "<a/><", "<é>ü</é>", "<?", "<!>", "<a>\\", "<!x[>"]
        {
            chunks(text);
        }
        for piece in ["<", "<a>", "<!x[>", "<!--", "<a/>", "<a x='1'>", "<a>x</a>", "<![CDATA[", "<a><b/>", "</a>", "<a"] {
            for text in [piece.repeat(100_000), format!("<r>{}", piece.repeat(100_000))] {
                assert!(chunks(&text).list.iter().all(|chunk| text.get(chunk.range.clone()).is_some()));
            }
        }
    }
}
