//! The estimator against `o200k_base` itself: per class of text, on hostile runs, and on any string.
//! Samples are written here; time is never asserted.

use proptest::prelude::*;
use stepfold::tokens::estimate::estimate_tokens;
use tiktoken_rs::o200k_base_singleton;

fn count_tokens(text: &str) -> u32 {
    o200k_base_singleton().encode_ordinary(text).len() as u32
}

/// Fails when the estimate lies outside `range` percent of the count.
fn check(class: &str, text: &str, range: std::ops::RangeInclusive<f64>) {
    let (estimate, count) = (estimate_tokens(text), count_tokens(text));
    let percent = (f64::from(estimate) / f64::from(count) - 1.0) * 100.0;
    assert!(range.contains(&percent), "{class}: {estimate} estimated, {count} counted, {percent:+.1} %, allowed {range:?}");
}

const PROSE: &str = "The harbor was quiet when we arrived, apart from two gulls that argued over a piece of bread. Nobody had told us \
    that the last ferry leaves at six on Sundays, so we sat down on our suitcases and waited for somebody who looked as if he knew \
    what to do next. An hour later a woman with a bicycle offered us the room above her bakery; it smelled of cinnamon, the floor \
    creaked whenever one of us turned over, and in the morning there was coffee. I don't think I've slept better since.";

const MARKDOWN: &str = "## Retrying requests\n\nA request is retried **three times** before it is given up. Between two tries the client \
    waits `2 ** attempt` seconds:\n\n- `429` and `503`: retried, honoring `Retry-After`\n- `5xx`: retried\n- anything else: thrown as \
    [`RequestError`](./errors.md#request-error)\n\n| option | default | meaning |\n|---|--:|---|\n| `retries` | 3 | how often |\n| \
    `timeoutMs` | 30000 | per try |\n\n```ts\nconst client = createClient({ retries: 5, onRetry: (error) => console.warn(error) });\n```\n";

const TYPESCRIPT: &str = "export async function loadInvoices(customerId: string, options: LoadOptions = {}): Promise<Invoice[]> {\n  const \
    { limit = 50, cursor } = options;\n  const rows = await db\n    .selectFrom('invoices')\n    .where('customer_id', '=', customerId)\n    \
    .orderBy('issued_at', 'desc')\n    .limit(limit + 1)\n    .execute();\n  if (rows.length === 0 && cursor !== undefined) {\n    throw \
    new NotFoundError(`No invoices behind cursor ${cursor}`);\n  }\n  return rows.slice(0, limit).map((row) => ({ ...row, total: \
    Number(row.total_cents) / 100 }));\n}\n";

const PYTHON: &str = "class RateLimiter:\n    \"\"\"Allows ``burst`` calls at once and ``per_second`` on average.\"\"\"\n\n    def \
    __init__(self, per_second: float, burst: int = 10) -> None:\n        self._per_second = per_second\n        self._tokens = \
    float(burst)\n        self._updated_at = time.monotonic()\n\n    def try_acquire(self) -> bool:\n        now = time.monotonic()\n        \
    self._tokens = min(self._burst, self._tokens + (now - self._updated_at) * self._per_second)\n        if self._tokens < 1:\n            \
    return False\n        self._tokens -= 1\n        return True\n";

const JSON_PRETTY: &str = "{\n  \"id\": \"evt_81237\",\n  \"type\": \"invoice.paid\",\n  \"created\": 1741862400,\n  \"data\": {\n    \
    \"customer\": {\n      \"email\": \"maria.santos@example.com\",\n      \"address\": null\n    },\n    \"lines\": [\n      { \
    \"sku\": \"A-100\", \"quantity\": 3, \"unitPrice\": 19.99 },\n      { \"sku\": \"B-220\", \"quantity\": 1, \"unitPrice\": 249.5 }\n    \
    ],\n    \"livemode\": false\n  }\n}\n";

const LOG: &str = "2026-03-14T09:26:53.589Z INFO  [worker-3] job 8812 started queue=email retries=0\n2026-03-14T09:26:54.002Z WARN  \
    [worker-3] smtp timeout after 400ms host=mail.example.com:587\n2026-03-14T09:26:54.871Z ERROR [worker-3] job 8812 failed: \
    ConnectionResetError: [Errno 104] Connection reset by peer\n    at Socket.send (/app/node_modules/mailer/lib/socket.js:214:17)\n    \
    at async deliver (/app/dist/workers/email.js:88:5)\n10.0.14.7 - - [14/Mar/2026:09:26:55 +0000] \"POST /api/v1/jobs HTTP/1.1\" 503 312\n";

const DIFF: &str = "diff --git a/src/server.rs b/src/server.rs\nindex 8a1f3c2..e09d771 100644\n--- a/src/server.rs\n+++ b/src/server.rs\n@@ \
    -41,9 +41,12 @@ impl Server {\n     pub fn bind(&mut self, address: &str) -> io::Result<()> {\n-        let listener = \
    TcpListener::bind(address)?;\n+        let listener = TcpListener::bind(address).map_err(|error| {\n+            \
    tracing::error!(%address, %error, \"cannot bind\");\n+            error\n+        })?;\n         self.listener = \
    Some(listener);\n         Ok(())\n     }\n";

const NUMBERED: &str = "     1→import { defineConfig } from 'vitest/config';\n     2→\n     3→export default defineConfig({\n     4→  test: \
    {\n     5→    environment: 'node',\n     6→    include: ['tests/**/*.test.ts'],\n     7→    coverage: { provider: 'v8', reporter: \
    ['text', 'lcov'] },\n     8→  },\n     9→});\n";

const LISTING: &str = "total 96\ndrwxr-xr-x  12 user  staff    384 Mar 14 09:12 .\n-rw-r--r--   1 user  staff   1071 Mar  2 18:40 \
    LICENSE\n-rw-r--r--   1 user  staff   4210 Mar 14 09:12 package.json\n./src/components/Button/Button.test.tsx\n./src/hooks/useDebouncedValue.ts\n\
    ./node_modules/.bin/eslint\n/usr/local/lib/python3.11/site-packages/requests/adapters.py\n";

const HTML: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n  <meta charset=\"utf-8\">\n  <link rel=\"stylesheet\" \
    href=\"/assets/main.css\">\n</head>\n<body class=\"page page--home\">\n  <nav aria-label=\"Main\"><ul><li><a \
    href=\"/docs\">Docs</a></li><li><a href=\"/pricing\">Pricing</a></li></ul></nav>\n  <main id=\"content\"><h1>Welcome \
    back</h1><p>You have <strong>3</strong> new messages &amp; 1 alert.</p></main>\n</body>\n</html>\n";

const CHINESE: &str = "我们在下午三点到达港口，那时候只有几只海鸥在争抢一块面包。没有人告诉我们星期天最后一班渡轮六点就开走了，所以我们只好坐在\
    行李箱上，等待一个看起来知道该怎么办的人。一个小时以后，一位推着自行车的女士把她面包店楼上的房间租给了我们。";

const JAPANESE: &str = "私たちが港に着いたとき、そこは静かで、二羽のカモメがパンを取り合っているだけだった。日曜日は最後のフェリーが六時に出ることを\
    誰も教えてくれなかったので、スーツケースに座って、どうすればいいか知っていそうな人を待っていた。";

const KOREAN: &str = "우리가 항구에 도착했을 때 그곳은 조용했고 갈매기 두 마리가 빵 한 조각을 놓고 다투고 있었다. 일요일에는 마지막 배가 여섯 시에 \
    떠난다는 사실을 아무도 말해 주지 않았기 때문에 우리는 가방 위에 앉아서 기다렸다.";

const RUSSIAN: &str = "Когда мы приехали, в гавани было тихо, только две чайки спорили из-за куска хлеба. Никто не сказал нам, что по \
    воскресеньям последний паром уходит в шесть, поэтому мы сели на чемоданы и стали ждать кого-нибудь, кто знал бы, что делать дальше.";

const GERMAN: &str = "Als wir ankamen, war es still im Hafen, nur zwei Möwen stritten sich um ein Stück Brot. Niemand hatte uns gesagt, dass \
    die letzte Fähre sonntags um sechs Uhr fährt, also setzten wir uns auf unsere Koffer und warteten auf jemanden, der so aussah, als \
    wüsste er weiter. Eine Bäckerin überließ uns schließlich das Zimmer über ihrer Backstube.";

const ARABIC: &str = "عندما وصلنا كان الميناء هادئا، ولم يكن هناك سوى طائرين يتشاجران على قطعة خبز. لم يخبرنا أحد أن العبارة الأخيرة \
    تغادر في السادسة يوم الأحد، فجلسنا على حقائبنا وانتظرنا شخصا يعرف ماذا نفعل بعد ذلك.";

const HINDI: &str = "जब हम पहुँचे तो बंदरगाह शांत था, केवल दो पक्षी रोटी के एक टुकड़े के लिए झगड़ रहे थे। किसी ने हमें नहीं बताया था कि रविवार को आखिरी \
    नाव छह बजे जाती है, इसलिए हम अपने सामान पर बैठकर इंतज़ार करने लगे।";

const EMOJI: &str = "✅ build passed in 42s 🎉\n❌ tests failed: 3 of 128 😢\n⚠️ coverage went down by 0.4 % — please check 🙏\n🚀 deployed to \
    staging, thanks everyone! 👍\n📦 bundle size: 182 kB → 176 kB ✨";

#[test]
fn ordinary_text_is_estimated_closely_and_rather_high() {
    check("prose", PROSE, -5.0..=8.0);
    check("markdown", MARKDOWN, -5.0..=12.0);
    check("typescript", TYPESCRIPT, -5.0..=12.0);
    check("python", PYTHON, -5.0..=12.0);
    check("json, pretty", JSON_PRETTY, -6.0..=12.0);
    check("json, compact", &JSON_PRETTY.replace("\n", "").replace("  ", ""), -6.0..=12.0);
    check("json, escaped", &serde_json::json!({ "path": "src/limiter.py", "content": PYTHON }).to_string(), -6.0..=12.0);
    check("log", LOG, -5.0..=12.0);
    check("diff", DIFF, -5.0..=12.0);
    check("numbered lines", NUMBERED, -5.0..=12.0);
    check("listing", LISTING, -6.0..=15.0);
    check("html", HTML, -6.0..=12.0);
    check("windows newlines", &TYPESCRIPT.replace('\n', "\r\n"), -6.0..=15.0);
    check("capitals", &PROSE.to_uppercase(), -13.0..=20.0);
}

#[test]
fn other_scripts_are_estimated_within_a_fifth() {
    let samples = [CHINESE, JAPANESE, KOREAN, RUSSIAN, GERMAN, ARABIC, HINDI, EMOJI];
    for (class, text) in ["chinese", "japanese", "korean", "russian", "german", "arabic", "hindi", "emoji"].into_iter().zip(samples) {
        check(class, text, -10.0..=20.0);
    }
}

#[test]
fn what_is_not_language_is_estimated_closely() {
    let bytes: Vec<u8> = (0..3000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let from_alphabet =
        |alphabet: &[u8]| bytes.iter().map(|byte| alphabet[usize::from(*byte) % alphabet.len()] as char).collect::<String>();
    check("hex", &from_alphabet(b"0123456789abcdef"), -6.0..=10.0);
    check("base64", &from_alphabet(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"), -8.0..=10.0);
    check("letters", &from_alphabet(b"abcdefghijklmnopqrstuvwxyz"), -10.0..=15.0);
    check("digits", &from_alphabet(b"0123456789"), 0.0..=0.1);
    let uuids: Vec<String> = bytes
        .chunks_exact(16)
        .map(|chunk| {
            let hex: String = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
        })
        .collect();
    check("uuids", &uuids.join("\n"), -5.0..=8.0);
    let rows: Vec<String> = (0..60).map(|i| format!("{i},{}.{:02},\"item {i}\",true", i * 137, i)).collect();
    check("csv", &rows.join("\n"), -5.0..=8.0);
}

#[test]
fn a_run_of_one_character_costs_about_what_it_is_merged_to() {
    // Letters run at the rate of the worse of their two cases, so that some lie higher.
    for character in [' ', '\n', '\t', '=', '-', '_', '*', '#', '.', '/', 'a', 'x', '0', '─', '中', '的', '\u{3000}'] {
        check(&format!("run of {character:?}"), &character.to_string().repeat(100_000), -3.0..=10.0);
    }
}

#[test]
fn hostile_repetition_is_never_far_too_low() {
    for unit in "tion·ing·the·привет·ก·한국·😀·😀😃·╬·é·()·=-·\\\"·a's·<|endoftext|>·\r\n·\n  ·ab·_a".split('·')
    {
        let text = unit.repeat(60_000 / unit.len());
        let (estimate, count) = (estimate_tokens(&text), count_tokens(&text));
        assert!(estimate >= count / 3, "{unit:?} repeated: {estimate} estimated, {count} counted");
    }
}

#[test]
fn special_tokens_in_text_are_text() {
    assert!(estimate_tokens("<|endoftext|>") > 1);
}

#[test]
fn short_texts_cost_what_they_cost() {
    for (text, tokens) in [("", 0), (" ", 1), ("\n", 1), ("a", 1), ("7", 1), ("2026-03-14", 6), ("1234567", 3)] {
        assert_eq!(estimate_tokens(text), tokens, "{text:?}");
        assert_eq!(count_tokens(text), tokens, "{text:?}");
    }
}

/// Text as agents meet it and text as nobody writes it, mixed.
fn any_text() -> impl Strategy<Value = String> {
    let fragments =
        vec![PROSE, MARKDOWN, TYPESCRIPT, LOG, CHINESE, HINDI, EMOJI, "   ", "\r\n", "\u{feff}", "e\u{301}", "\u{85}", "'s", "\0"];
    let fragment =
        prop_oneof![".{0,40}", "\\PC{0,40}", "[a-zA-Z0-9 \\n]{0,40}", proptest::sample::select(fragments).prop_map(str::to_string),];
    proptest::collection::vec(fragment, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_costs_at_least_one_token_and_at_most_a_few_per_byte(text in any_text()) {
        let estimate = estimate_tokens(&text);
        prop_assert_eq!(estimate == 0, text.is_empty());
        prop_assert!(u64::from(estimate) <= 4 * text.len() as u64 + 4, "{} tokens for {} bytes", estimate, text.len());
    }

    #[test]
    fn a_whole_costs_about_what_its_parts_cost(first in any_text(), second in any_text()) {
        let whole = f64::from(estimate_tokens(&format!("{first}{second}")));
        let parts = f64::from(estimate_tokens(&first) + estimate_tokens(&second));
        // Only the pieces at the seam change.
        prop_assert!((whole - parts).abs() <= 25.0 + parts * 0.02, "{} together, {} apart", whole, parts);
    }

    #[test]
    fn the_same_text_costs_the_same(text in any_text()) {
        prop_assert_eq!(estimate_tokens(&text), estimate_tokens(&text.clone()));
    }
}
