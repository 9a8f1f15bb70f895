//! Names, ids, paths and checksums are no secrets, whatever they stand in; secrets in the same places are found. What is counted is
//! made up while the test runs, the same at every run.

use stepfold::redact::{REDACTED, clean};

use super::secrets::{Chance, FORMS, PLACES};

/// Parts of names, among them those that hold the letters of key words.
const WORDS: &str = "passenger author design assign signal credit passport authority compass secretary tokenizer basic private overview object \
     generation react native chatbot billing checkout worker gateway search profile session settings upload report invoice \
     inventory catalog payment auth token secret password signup keyboard pathway review mailer scheduler quota kiosk zebra proxy \
     xylophone";

/// Each identifier stands in all of these; `…` is it, `@` the name it is kept under.
const SURROUNDINGS: [&str; 17] = [
    "…",
    "@=…",
    "@: …\n",
    "row: @=… ok",
    "{\"@\":\"…\",\"ok\":true}",
    "{\\\"@\\\": \\\"…\\\"}",
    "@ = '…';",
    "<@>…</@>",
    "I looked at …, and it was fine.",
    "See … (the newest). Then … again.",
    "https://h.test/items?@=…&limit=20",
    "https://h.test/items/…/edit",
    "Files: src/a.rs, …, docs/04-ai-sdk-ui/01-overview.mdx, docs/04-ai-sdk-ui/08-object-generation.mdx",
    "src/a.rs … packages/sdk-js/react-native.ts",
    "- `…`: 12 lines",
    "| 7 | … | done |",
    "[…]",
];

/// Identifiers of each kind.
const EACH: usize = 30;

impl Chance {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// A text of a form such as `pod-{k5}`.
    fn make(&mut self, form: &str) -> String {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let mut text = String::new();
        let mut rest = form;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (kind, after) = after.split_once('}').unwrap();
            rest = after;
            if let Some(inner) = kind.strip_prefix('{') {
                // Braces that stand for themselves.
                text.push_str(&format!("{{{}", self.make(&format!("{{{inner}}}"))));
                continue;
            }
            let word = self.pick(&words).to_owned();
            match kind {
                "w" => text.push_str(&word),
                "W" => text.push_str(&format!("{}{}", word[..1].to_uppercase(), &word[1..])),
                _ => self.push_letters(kind, &mut text),
            }
        }
        text + rest
    }

    /// Letters of a kind: `x12`.
    fn push_letters(&mut self, kind: &str, text: &mut String) {
        let letters: &[u8] = match &kind[..1] {
            "a" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "b" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
            "n" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
            "5" => b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789",
            "l" => b"abcdefghijklmnopqrstuvwxyz0123456789",
            "L" => b"abcdefghijklmnopqrstuvwxyz",
            "u" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "U" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "c" => b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            "C" => b"0123456789abcdefghjkmnpqrstvwxyz",
            "k" => b"bcdfghjklmnpqrstvwxz2456789",
            "x" => b"0123456789abcdef",
            "X" => b"0123456789ABCDEF",
            "d" => b"0123456789",
            _ => panic!("no kind of letters: {kind}"),
        };
        let count: usize = kind[1..].trim_start_matches(':').parse().unwrap();
        for _ in 0..count {
            text.push(char::from(letters[self.below(letters.len())]));
        }
    }
}

#[test]
fn names_and_ids_of_many_kinds_stay_whole_wherever_they_stand() {
    let mut chance = Chance(11);
    let (mut count, mut hits) = (0, Vec::new());
    let mut kinds = 0;
    for row in include_str!("kinds.txt").lines().filter(|row| !row.starts_with('#')) {
        let [kind, names, forms] = row.split(" | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let [names, forms] = [names, forms].map(|list| list.split(' ').collect::<Vec<_>>());
        kinds += 1;
        for round in 0..EACH {
            let identifier = chance.make(forms[round % forms.len()]);
            let name = chance.pick(&names);
            count += 1;
            let is_hit = |frame: &&&str| clean(&frame.replace('@', name).replace('…', &identifier)).contains(REDACTED);
            if let Some(frame) = SURROUNDINGS.iter().find(is_hit) {
                hits.push(format!("{kind}: {}", frame.replace('@', name).replace('…', &identifier)));
            }
        }
    }
    let share = hits.len() as f64 / count as f64;
    println!("{} of {count} identifiers of {kinds} kinds taken for secrets ({:.2} %)", hits.len(), share * 100.0);
    assert!(count >= 1_000 && kinds >= 80);
    assert!(share <= 0.001, "{} of {count}: {hits:#?}", hits.len());
}

#[test]
fn secrets_are_found_wherever_names_and_ids_stay_whole() {
    // No name that tells them: only their form does.
    let names = ["id", "value", "passenger_ref", "nextPageToken", "note"];
    let mut chance = Chance(13);
    let (mut count, mut missed) = (0, Vec::new());
    for surrounding in SURROUNDINGS {
        for (first, second, form) in FORMS {
            let first = if matches!(first, "a14." | "d10") { chance.fill(first) } else { first.to_owned() };
            let secret = format!("{first}{second}{}", chance.fill(form));
            let text = surrounding.replace('@', chance.pick(&names)).replace('…', &secret);
            count += 1;
            if clean(&text).contains(&secret) {
                missed.push(text);
            }
        }
        for (place, form) in PLACES {
            let secret = chance.fill(form);
            let text = surrounding.replace('@', chance.pick(&names)).replace('…', &place.replace('…', &secret));
            count += 1;
            if clean(&text).contains(&secret) {
                missed.push(text);
            }
        }
    }
    let share = missed.len() as f64 / f64::from(count);
    println!("{} of {count} secrets missed ({:.2} %)", missed.len(), share * 100.0);
    assert!(share <= 0.01, "{} of {count}: {missed:#?}", missed.len());
}

#[test]
fn what_agents_work_with_stays_whole() {
    // Each was taken for a secret: for a key word inside of a longer word, for a beginning that names have, too, or for one that was
    // met inside of a path.
    for text in [
        "Read: docs/04-ai-sdk-ui/01-overview.mdx, docs/04-ai-sdk-ui/08-object-generation.mdx",
        "docs/04-ai-sdk-ui/02-chatbot.mdx src/a.ts packages/sdk-js/index.ts packages/sdk-js/react-native.ts",
        "passenger_id=PX8842917355 passport_number: C01X00T47 author_id=7739201845",
        "authored_commit=4f9c2e1b7a design_id=DSN-20931-XK assigned_to=usr_8812aa assignment_id=as_77120934 signup_id=sg_1293847",
        "credit_note=CN-2024-0098 signal_id=SIG-99182 nextPageToken=CAUQAA",
        "{\"nextPageToken\":\"CAUQx7Kq9ZpL2mVw8RtY4nB\",\"NextToken\":\"eyJpZCI6Ijk0MjE3MzUwIiwic29ydCI6ImFzYyJ9\"}",
        "refund re_3MmlLrLkdIwHu7ix0snN0B15 of cs_test_a1B2x7Kq9ZpL2mVw8RtY4nBx7Kq9ZpL2mVw8RtY4nBx7Kq9",
        "pod api-7d9f8b6c5d-x2k4q and sdk-proxy-7d9f8b6c5d-zx9kq, services/TransactionHandler/v2/Main.kt",
        "token_url: https://login.test/7d9f8b6c-5d21-4c0e-9b1f-x2k4q/oauth2 and secret_arn=arn:aws:kms:x7kq9zpl2m",
        "ghcr.io/acme/auth:7d9f8b6c5d, in a Basic Workflow of test file_type::tests::test_symlink_to_python_file",
        "PWD=/tmp/tmp.x7Kq9ZpL2m",
    ] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn what_stands_where_secrets_stand_elsewhere_stays_whole() {
    for text in [
        "docker run -p 8080:80 -u node:node -P app && ssh -p 2222 ann@h.test",
        "mkdir -p src/x7Kq9Zp && cp -a x7Kq9ZpL2m y && mysql -u root -p shop -P 3306 && psql -p 5433 -U ann shop",
        "git log -p 4f9c2e1b7a -u main; python -u train.py -w run7Kq9Zp; grep -w t8Kq2ZpL9m a.txt",
        "curl -u $USER:$PASS https://h.test; curl -u \"${USER}:${PASS}\" https://h.test; sshpass -p \"$PW\" ssh h.test; redis-cli -a <password>",
        "The password was reset; enter your password twice, then the Basic plan shows psk and tpsk=off, pskov=7.",
        "password must hold 8 signs, password: string, type=\"password\" autocomplete=\"current-password\" name=\"password\"",
        "<input type=\"password\" name=\"password\" value=\"\" placeholder=\"Password\" data-id=\"x7Kq9ZpL2m\">",
        "<div class=\"css-x7Kq9Z token-x2k4q\" id=\"auth-7d9f8b6c\" style=\"color:#7d9f8b6c\" key=\"x7Kq9ZpL2m\"></div>",
        "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4\">",
        "task_pattern=x7Kq9ZpL2m pat = r7Kq9ZpL2m path_id=x7Kq9ZpL2m patient_id=x7Kq9ZpL2m appId=x7Kq9ZpL2m keyframe=x7Kq9ZpL2m",
        "session_id=x7Kq9ZpL2mVw8RtY sessionId: 'x7Kq9ZpL2mVw8RtY' cookie_name=x7Kq9ZpL2m cookieConsentVersion=x7Kq9ZpL2m",
        "kind: ConfigMap\ndata:\n  shop.conf: x7Kq9ZpL2mVw8RtY4nB\n---\nkind: SecretStore\nspec:\n  data:\n    a: x7Kq9ZpL2mVw8RtY4nB\n",
        "kind: Secret\nmetadata:\n  name: a\n---\nkind: ConfigMap\ndata:\n  id: x7Kq9ZpL2mVw8RtY4nB\n---\nkind: Secret\n",
        "kind: Secretary\ndata:\n  id: x7Kq9ZpL2mVw8RtY4nB\n",
        "http://h.test:8080/@scope/x7Kq9Zp and https://h.test/a:b@c; ssh://git@h.test:22/r.git, docker.test:5000/app@sha256:7d9f8b6c",
        "src/app.rs:120:14:error: x7Kq9ZpL2m; 2026-11-23T10:30:45:12:x; 00:1a:2b:3c:4d:5e; [::1]:8080",
        "let total = a$1$b; ${x7Kq9ZpL2mVw8RtY4nB} $2b {SHA} {md5} $1$ costs $100000$ and $USER$",
        "expect(find(\"password\", \"visible\")).toBe(true); t(\"token\", \"label\"); [\"secret\", \"private\", \"TKTokenDriver\"]",
        "The password is 12-character at least, is stored as sha256, was changed to bcrypt, is base64-encoded, is ${PASSWORD}.",
        "Your password is required to be set to something with 8 signs. The token is of type Uint8Array. The key is order-2024-11.",
        "| token | Uint8Array; type A = token | Uint8Array | secret; | password | required | | token_count | 128000 |",
        "Password    required\nTokens      128000\nSecrets     v1alpha1beta2 of them",
        "GROUP BY 'created_2024'; order by 'x9'; CREATE USER app IDENTIFIED BY '${DB_PASSWORD}'; ALTER ROLE app PASSWORD NULL; PASSWORD ':password'",
        "echo $TOKEN | docker login --password-stdin; echo \"$(pass show registry)\" | docker login --password-stdin; echo done1234 | tee log",
        "login ann, then machine learning: the password x stays; login -p",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n-----END CERTIFICATE-----",
        "Cookie policy of h.test: see /legal?v=x7Kq9ZpL2mVw8RtY4nB1 (no cookies, id=77120934)",
    ] {
        assert_eq!(clean(text), text);
    }
}
