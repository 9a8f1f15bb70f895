//! Markup in chunks: a short element is one, smaller ones beside each other are one, and what is in a long one stands under what that begins
//! with. Reads tags alone and knows hardly any vocabulary.

use std::ops::Range;

use super::lines::line_or_sentences;
use super::{Chunks, LINE_BYTES, under};
use crate::text::markup::{Tag, UNREAD, is_blank, tags};

/// An element up to this many bytes is one row: tags take about as much as what they hold.
const ROW_BYTES: usize = 700;
/// A shorter element beside others says little alone.
const SMALL_BYTES: usize = 160;
/// What an element begins with, up to this many bytes, names it.
const NAME_BYTES: usize = 240;
/// So many open elements are looked at for the one that a tag closes.
const MOST_OPEN: usize = 200;
/// Deepest element that is split.
const LEVELS: usize = 24;
/// Cells that name the columns of the rows below, and those of the rows.
const CELLS: [&str; 2] = ["<th", "<td"];

/// An element, or all of the text, which is the first one.
struct Element<'t> {
    name: &'t str,
    range: Range<usize>,
    content: Range<usize>,
    /// The first one behind those in it.
    next: usize,
    /// Text stands right in it.
    has_text: bool,
}

/// The chunks of a range that begins with an element. False where it does not, and then there are no new chunks.
pub(super) fn markup(text: &str, range: Range<usize>, base: (usize, usize), chunks: &mut Chunks) -> bool {
    let elements = if text[range.clone()].starts_with('<') { elements(text, range) } else { Vec::new() };
    let is_markup = elements.len() > 2;
    if is_markup {
        Markup { text, elements, chunks }.split(0, base, 0);
    }
    is_markup
}

fn elements(text: &str, range: Range<usize>) -> Vec<Element<'_>> {
    let element = |name, range: Range<usize>, start| Element { name, content: start..range.end, range, next: 0, has_text: false };
    let mut list = vec![element("", range.clone(), range.start)];
    let (mut open, mut at) = (vec![0], range.start);
    for Tag { name, range: tag, opens, closes } in tags(text, range.clone()) {
        if let Some(top) = open.last() {
            list[*top].has_text |= !is_blank(&text[at..tag.start]);
        }
        at = tag.end;
        if opens {
            open.push(list.len());
            list.push(element(name, tag.start..range.end, tag.end));
        }
        let least = open.len().saturating_sub(MOST_OPEN);
        let closed = open[least..].iter().rposition(|element| closes && *element > 0 && list[*element].name == name).map(|at| least + at);
        let (count, first) = (list.len(), closed.unwrap_or(open.len()));
        // What stands in it and is open still ends with it.
        for (place, element) in open.drain(first..).enumerate() {
            list[element].range.end = if place == 0 { tag.end } else { tag.start };
            list[element].content.end = tag.start.max(list[element].content.start);
            list[element].next = count;
        }
    }
    let count = list.len();
    open.into_iter().for_each(|element| list[element].next = count);
    list
}

struct Markup<'t, 'c> {
    text: &'t str,
    elements: Vec<Element<'t>>,
    chunks: &'c mut Chunks,
}

impl Markup<'_, '_> {
    /// The chunks of what is in an element.
    fn split(&mut self, of: usize, (base, depth): (usize, usize), level: usize) {
        let mut head = base;
        let (mut run, mut at): (Option<Range<usize>>, usize) = (None, self.elements[of].content.start);
        let (mut child, mut before) = (of + 1, "");
        while child <= self.elements[of].next {
            let is_end = child == self.elements[of].next;
            let range = if is_end { self.elements[of].content.end..0 } else { self.elements[child].range.clone() };
            let is_small = range.len() <= SMALL_BYTES && (is_end || !self.holds_unread(child));
            let text = at..range.start;
            let is_apart = is_blank(&self.text[text.clone()]);
            let names_columns = |range: &Range<usize>| CELLS.map(|cell| self.text[range.clone()].contains(cell)) == [true, false];
            let ends = |run: &Range<usize>| is_end || !is_apart || !is_small || range.end - run.start > LINE_BYTES || names_columns(run);
            if let Some(own) = run.take_if(|run| ends(run)) {
                let is_head = names_columns(&own) && own.len() <= NAME_BYTES;
                self.chunks.push(own.clone(), head, depth);
                head = if is_head { under(base, own, self.chunks) } else { head };
            }
            if !is_apart {
                line_or_sentences(self.text, text, head, depth, self.chunks);
            }
            if is_end {
                return;
            }
            at = range.end;
            match &mut run {
                Some(run) => run.end = range.end,
                None if is_small => run = Some(range),
                None => self.element(child, before, (head, depth), level + 1),
            }
            before = self.elements[child].name;
            child = self.elements[child].next;
        }
    }

    /// Whether a short element holds what is no text.
    fn holds_unread(&self, at: usize) -> bool {
        self.elements[at..self.elements[at].next].iter().any(|element| UNREAD.contains(&element.name))
    }

    /// A long element behind one of the name `before`.
    fn element(&mut self, at: usize, before: &str, (head, depth): (usize, usize), level: usize) {
        let Element { name, range, content, next, has_text } = &self.elements[at];
        let (range, content) = (range.clone(), content.clone());
        let is_leaf = *has_text || *next == at + 1;
        // It is one of many by its name, or by what it begins with.
        let is_row = before == *name || self.elements.get(*next).is_some_and(|other| other.name == *name);
        let most = match () {
            () if is_leaf => LINE_BYTES,
            () if is_row => ROW_BYTES,
            () => SMALL_BYTES,
        };
        if UNREAD.contains(name) {
            return;
        }
        if range.len() <= most && !self.holds_unread(at) || level > LEVELS {
            return line_or_row(self.text, range, is_leaf || level > LEVELS, (head, depth), self.chunks);
        }
        let first = self.elements[at + 1..*next]
            .iter()
            .take_while(|inner| inner.range.len() <= SMALL_BYTES && inner.range.end - content.start <= NAME_BYTES);
        let begins = first.last().map(|last| content.start..last.range.end);
        let own = match () {
            () if is_leaf => Some(range.start..content.start).filter(|tag| tag.len() <= NAME_BYTES),
            () if is_row => begins,
            () => None,
        };
        let head = own.map_or(head, |own| under(head, own, self.chunks));
        if is_leaf {
            line_or_sentences(self.text, content, head, depth + 1, self.chunks);
        } else {
            self.split(at, (head, depth + usize::from(is_row)), level);
        }
    }
}

fn line_or_row(text: &str, range: Range<usize>, is_line: bool, (head, depth): (usize, usize), chunks: &mut Chunks) {
    match is_line {
        true => line_or_sentences(text, range, head, depth, chunks),
        false => chunks.push(range, head, depth),
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
        let item = |title: &str, id: &str, price: &str| {
            format!("<item><title>{title}</title><guid>{id}</guid><text>{}</text><price>{price}</price></item>", "More of it. ".repeat(14))
        };
        let rss = format!(
            "<?xml version='1.0'?>\n<rss version=\"2.0\"><channel><title>News</title>{}{}</channel></rss>",
            item("Tea rises", "n1", "4.10"),
            item("Ink falls", "n2", "3.20")
        );
        let rss = rss.as_str();
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
            (&camt, "Mohn AG", "<NtryRef>72</NtryRef><Amt Ccy=\"EUR\">95.50</Amt>", "Weber"),
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
            "before <b>15/01</b>, since the mason leaves. ".repeat(9),
            row(["Stone", "Price"], "th"),
            row(["Maan M-2290, polished and cut to size, in boxes of twelve", "24.750"], "td"),
            row(["Maan M-2291, rough, as it comes from the quarry near the river", "31.500"], "td"),
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
        assert_eq!(found(&text, "15,000").1, "<li><p>The ceiling is <b>15,000 JOD, tax included</b>, and not more.</p></li>");
        let (head, row) = found(&text, "31.500");
        assert!(head.contains("<th>Price</th>") && row.contains("rough"), "{head} | {row}");
        assert!(!chunks(&text).list.iter().any(|chunk| text[chunk.range.clone()].contains("margin")));
    }

    #[test]
    fn what_does_not_nest_is_read_as_lines_and_nothing_breaks_the_parting() {
        let page = format!(
            "<!doctype html>\n<html><body>\n<p>First line\n{}<p>Second <br> line\n</body></html>",
            "<p>More of it, and more.\n".repeat(40)
        );
        assert!(found(&page, "Second <br> line").1.len() < 200);
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
