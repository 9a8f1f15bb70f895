//! Secrets as people write them down, in mails, notes and tables, and ordinary text about secrets. `…` is the secret.

use stepfold::redact::clean;

/// A value that looks random, under a name.
const RANDOM: &[&str] = &[
    // Names of several words, in any spacing, case, script and normal form.
    "API key: …",
    "{\"API key\":\"…\"}",
    "githubPat: …",
    "{\"githubPat\":\"…\"}",
    "Secret key: …",
    "Access key: …",
    "Private key: …",
    "Encryption key=…",
    "clé API: …",
    "clave secreta: …",
    "chave de API: …",
    "clé d'API : …",
    "مفتاح API: …",
    "비밀 키: …",
    "jeton: …",
    "API  key: …",
    "api Key : …",
    "ＡＰＩ　ｋｅｙ：…",
    "Ｐａｓｓｗｏｒｄ：…",
    "S\u{327}ifre: …",
    "contrasen\u{303}a: …",
    "ハ\u{309a}スワート\u{3099}：…",
    "ﾊﾟｽﾜｰﾄﾞ: …",
    "𝗔𝗣𝗜 𝗸𝗲𝘆: …",
    "\u{1107}\u{1175}\u{1106}\u{1175}\u{11af}\u{1107}\u{1165}\u{11ab}\u{1112}\u{1169}: …",
    "mật khẩu: …",
    "Mot de passe\u{a0}: …",
    "секретный ключ: …",
    "API-Schlüssel: …",
    "geheimer Schlüssel: …",
    "Klucz API: …",
    "API anahtarı: …",
    "APIキー：…",
    "アクセスキー: …",
    "访问密钥：…",
    "私钥: …",
    "chiave API: …",
    "token de acesso: …",
    // What a person adds to a name.
    "API key (production): …",
    "API key for Ann: …",
    "API key [prod]: …",
    "API key #2: …",
    "new password for ann@x.test: …",
    "contraseña de la base: …",
    "API key – …",
    "API key — …",
    "Api.Key: …",
    "recovery key: …",
    "秘密鍵: …",
    "parolă: …",
    "Mot de passe : « … »",
    "Password: “…”",
    "Passwort: „…“",
    "Ann's password: …",
    "My new API key: …",
    "Password (Ann, staging): …",
    "Secret access key - …",
    "API key → …",
    "Your new access token is: …",
    // Markup around the separator.
    "- **Password:** …",
    "**Password**: `…`",
    "**API key:** `…`",
    "<b>Password:</b> …",
    "<strong>API key</strong>: <code>…</code>",
    "*Password:* …",
    // The cell under it, or beside it.
    "| User | Password |\n|---|---|\n| ann | … |",
    "<tr><td>Password</td><td>…</td></tr>",
    "user,password\nann,…\n",
    "user;role;API key\nann;admin;…\n",
    "user\tpassword\nann\t…\n",
    "\"user\",\"password\"\n\"ann\",\"…\"\n",
    "<table><tr><th>User</th><th>Password</th></tr>\n<tr><td>ann</td><td>…</td></tr></table>",
    "<dt>API key</dt><dd>…</dd>",
    "<th>API key</th>\n<td>…</td>",
    // The members below it.
    "{\"passwords\":[\"…\"]}",
    "{\"password\":{\"value\":\"…\"}}",
    "{\"columns\":[\"user\",\"password\"],\"rows\":[[\"ann\",\"…\"]]}",
    "{\"headers\":[[\"X-Api-Key\",\"…\"]]}",
    "{\"label\":\"API key\",\"value\":\"…\"}",
    "{\"title\":\"API key\",\"content\":\"…\"}",
    "{\"tokens\":{\"ann\":\"…\"}}",
    "{\\\"secrets\\\":{\\\"db\\\":\\\"…\\\"}}",
    "password: |\n  …",
    "api_keys:\n  - …\n  - b\n",
    "secrets:\n  db: …\n",
    "tokens = [\n  '…',\n]",
    // The next line.
    "Password:\n\n    …",
    "API key\n…\n",
    "## API key\n\n…\n",
    "API key:\n```\n…\n```\n",
    "**Secret key**\n\n`…`\n",
    // Other languages, arrows, tables of databases and members of members.
    "Лозинка: …",
    "Пароль от базы: …",
    "시크릿 키: …",
    "シークレットキー: …",
    "password -> …",
    "user | password\n------+---------\n ann | …\n",
    "+------+-----+\n| user | password |\n+------+-----+\n| ann | … |\n",
    "{\"auth\":{\"bearer\":[{\"key\":\"token\",\"value\":\"…\"}]}}",
    "{\"json\":\"{\\\"password\\\":\\\"…\\\"}\"}",
    "<input name=\"password\" value=\"…\">",
    "credentials:\n  user: ann\n  password: …",
    "$env:API_KEY = \"…\"",
    "spring.datasource.password=…",
    "API_KEY: \"…\" # prod",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n…\n-----END PGP PRIVATE KEY BLOCK-----",
    // Files and commands.
    "//registry.npmjs.org/:_authToken=…",
    "curl -H 'Authorization: Bearer …' https://h.test",
    "Server=db;Password=…;Encrypt=true",
];

/// A password that a person chose, where only one can stand.
const CHOSEN: &[(&str, &str)] = &[
    ("Password: …", "hunter2"),
    ("Password: …", "sunshine"),
    ("{\"password\":\"…\"}", "sunshine"),
    ("Passwort für Ann: …", "Sommer2024!"),
    ("pw: …", "hunter2"),
    ("password=…;", "hunter2"),
    ("**Password:** …", "hunter2"),
    ("my password: …", "hunter2"),
    ("| User | Password |\n|---|---|\n| ann | … |", "hunter2"),
    ("user,password\nann,…\n", "hunter2"),
    ("curl -u ann:… https://h.test", "hunter2"),
    ("https://ann:…@h.test/x", "hunter2"),
    ("password is: …", "hunter2"),
];

/// Texts that tell no secret.
const ORDINARY: &[&str] = &[
    "Invalid token in request: req_011CSHoEeqs5C35K2UUqR7Fy",
    "token refreshed for order: ORD-7Kq9ZpL2mV8R",
    "Access token expired, request id: x7Kq9ZpL2mVw8RtY4nB",
    "password reset for customer: cus_x7Kq9ZpL2mV8R",
    "A password reset link was sent to ann@h.test.",
    "The token count is 12,000.",
    "key: value",
    "Passwort vergessen?",
    "Password: ********",
    "Passwort: ••••••••",
    "The API key is required for all requests.",
    "Get an API key: https://h.test/keys/x7Kq9ZpL2mVw8RtY",
    "Send your API key in the header X-Api-Key.",
    "Tracking number: 1Z999AA10123456784",
    "Order key: ORD-20931-XK7Q",
    "Commit: 4f9c2e1b7a8d3e5f60718293a4b5c6d7e8f90a1b",
    "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Model: claude-sonnet-4-5-20250929",
    "id: 8f14e45f-ceea-467f-a0b3-3f2a1d5c9e77",
    "| Field | Type |\n|---|---|\n| password | string |\n| api_key | string |\n",
    "| Name | Required |\n|---|---|\n| password | required |\n",
    "user,password_changed_at\nann,2024-11-02T10:00:00Z\n",
    "order,token count\nORD-7Kq9ZpL2mV,12000\n",
    "order_id,key\nORD-7Kq9ZpL2mV8R,x7Kq9ZpL2mVw8RtY4nB\n",
    "{\"password\":\"string\"}",
    "{\"password\":\"Password\"}",
    "{\"password\":\"required\"}",
    "{\"password\":{\"type\":\"string\",\"minLength\":8,\"description\":\"Must hold a digit\"}}",
    "{\"tokens\":{\"id\":\"x7Kq9ZpL2mVw8RtY4nB\",\"count\":12}}",
    "{\"tokens\":[\"Hel\",\"lo\",\" world\"]}",
    "{\"required\":[\"email\",\"password\"],\"enum\":[\"a\",\"b\"]}",
    "{\"usage\":{\"inputTokens\":12000,\"outputTokens\":812}}",
    "Secret Santa: Ann and Bob",
    "The secret is to stay calm.",
    "The password is required.",
    "The password was changed yesterday.",
    "Your password is safe with us.",
    "password: must hold 8 signs",
    "Passwort: mindestens 8 Zeichen",
    "Password:\n\nIt must hold at least eight characters and one digit.\n",
    "API keys\n\nCreate one in the settings, then copy it.\n",
    "API keys:\n- Create one in the settings.\n- Rotate it every 90 days.\n",
    "Passwords\n- are hashed with argon2\n- expire after 90 days\n",
    "The password is hashed with sha256.",
    "The password is base64-encoded.",
    "Token: expired",
    "Key facts:\n- founded 1998\n- 12,000 people\n",
    "PIN required",
    "Pin: 13",
    "Primary key: order_id",
    "Foreign key: x7Kq9ZpL2mVw8RtY4nB",
    "The key for row 7 is x7Kq9ZpL2mVw8RtY4nB.",
    "Passphrase: optional",
    "function login(user, password) {\n  return hash(password);\n}",
    "const token = await getToken(user2);",
    "if (!token) throw new Error('no token2 given');",
    "password: '${DB_PASSWORD}'",
    "export API_KEY=$(pass show api/key2)",
    "API_KEY=<your-api-key>",
    "password_policy: strict12",
    "Login with OAuth2, then call /v1/tokens.",
    "The verification code was sent by SMS.",
    "Security code: see the back of the card",
    "Public key: x7Kq9ZpL2mVw8RtY4nB",
    "| Token | Count |\n|---|---|\n| ab12cd34ef56gh78 | 3 |",
    "## Tokens\n\n- sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n",
    "if token:\n    order = get(\"ORD-7Kq9ZpL2mVw8\")\n",
    "Reset token expires in 15 minutes.",
    "Secret name: prod/db-x7Kq9Z",
    "Public key fingerprint: SHA256:x7Kq9ZpL2mVw8RtY4nBx7Kq9ZpL2mVw8RtY4nB",
    "The token is valid until 2026-11-27T10:00:00Z.",
    "{\"keys\":[\"x7Kq9ZpL2mVw8RtY4nB\"]}",
    "Error code: E4711-A",
    "promo code: SUMMER24",
    "passwords:\n  min_length: 12345678\n  algorithm: argon2id\n",
    "Access key ID format: 20 characters",
    "SKU: KEY-12345-AB",
    "tokens = tokenizer.encode(\"x7Kq9ZpL2mVw8RtY4nB\")",
    "Session id: x7Kq9ZpL2mVw8RtY4nB",
    "Postleitzahl, PIN: see below",
];

const SECRET: &str = "Zq7kd93mXr2vLm2TpW4bHs8Y";

#[test]
fn secrets_are_found_in_the_forms_in_which_people_write_them() {
    let random = RANDOM.iter().map(|form| (*form, SECRET));
    let frames = ["…", "Hello Ann,\n\n…\n\nBye", "# Notes\n\n…\n"];
    let missed: Vec<String> = random
        .chain(CHOSEN.iter().copied())
        .flat_map(|(form, secret)| frames.map(|frame| (frame.replace('…', &form.replace('…', secret)), secret)))
        .filter(|(text, secret)| clean(text).contains(secret))
        .map(|(text, _)| text)
        .collect();
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}

#[test]
fn ordinary_text_about_secrets_stays_as_it_is() {
    let hits: Vec<String> = ORDINARY.iter().map(|text| clean(text)).filter(|text| text.contains("[redacted]")).collect();
    assert!(hits.is_empty(), "{hits:#?}");
}

#[test]
fn what_belongs_to_a_name_over_several_lines_is_found_in_a_text_within_json_too() {
    for form in [
        "\\nuser,password\\nann,…\\nbob,x\\n",
        "\\nPassword:\\n\\n    …\\n",
        "\\napi_keys:\\n  - …\\n",
        "\\n| User | Password |\\n|---|---|\\n| ann | … |\\n",
    ] {
        let text = format!("{{\"id\":7,\"note\":\"{}\"}}", form.replace('…', SECRET));
        let cleaned = clean(&text);
        assert!(!cleaned.contains(SECRET) && cleaned.ends_with("\"}"), "{cleaned}");
    }
}
