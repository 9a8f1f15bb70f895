//! Names of secrets in the syntax of many languages, in tables and pairs, and in the languages that people speak. `…` is the secret.
//! All are made up while a test runs.

/// Where a secret stands, and its form.
pub const SYNTAX: [(&str, &str); 55] = [
    // A type between name and value.
    ("const apiKey: string = \"…\";", "a24"),
    ("export const dbPassword: string | undefined = '…';", "p20"),
    ("api_key: str = \"…\"", "a32"),
    ("api_key: Optional[str] = '…'", "a32"),
    ("let api_key: &'static str = \"…\";", "a24"),
    ("val apiKey: String = \"…\"", "x40"),
    ("private let clientSecret: String? = \"…\"", "b34"),
    ("var apiKey string = \"…\"", "a24"),
    ("const char apiKey[] = \"…\";", "a24"),
    ("String apiSecret = \"…\";", "a24"),
    ("apiKey := \"…\"", "a24"),
    ("$apiKey = '…';", "a24"),
    ("(setq api-key \"…\")", "a24"),
    // Pairs and tuples.
    ("{\n  \"name\": \"API_KEY\",\n  \"value\": \"…\"\n}", "a24"),
    ("{\"value\": \"…\", \"name\": \"API_KEY\"}", "a24"),
    ("{ key: 'DB_PASSWORD', value: '…' }", "a24"),
    ("- value: …\n  name: DB_PASSWORD\n", "a24"),
    ("requests.get(url, auth=(\"admin\", \"…\"))", "a24"),
    ("HTTPBasicAuth('admin', '…')", "a16"),
    ("auth: ['app', '…']", "a16"),
    // Addresses.
    ("jdbc:postgresql://db/app?user=app&password=…", "a24"),
    ("https://h.test/a?sig=…&se=2030", "a43"),
    ("https://h.test/a?x=1&access_token=…#top", "b40"),
    // Languages.
    ("contraseña: …", "a24"),
    ("Clave: …", "a16"),
    ("Passwort: …", "a24"),
    ("Mot de passe : …", "a16"),
    ("Senha = …", "a16"),
    ("Hasło: …", "a16"),
    ("Şifre: …", "a16"),
    ("пароль: …", "a16"),
    ("Это секрет. Токен: …", "a24"),
    ("密码：…", "a24"),
    ("数据库密碼＝…", "a16"),
    ("API密钥: …", "x32"),
    ("パスワード：…", "a16"),
    ("비밀번호: …", "a16"),
    ("{\"密码\":\"…\"}", "a16"),
    ("รหัสผ่าน: …", "a16"),
    // Settings of vendors nobody has heard of.
    ("ACME_KEY=…", "x32"),
    // Tables and columns.
    ("| user | ann |\n| password | … |\n| port | 5432 |", "a14"),
    ("| DB password | … | staging |", "p16"),
    ("| `api_key` | `…` |", "x32"),
    ("| Client secret | … |", "b34"),
    ("Username    ann\nPassword    …\nPort        22", "a12"),
    ("User\tann\nPassword\t…\n", "a14"),
    (" password | …", "a16"),
    // Statements.
    ("CREATE ROLE app LOGIN PASSWORD '…';", "a10"),
    ("alter role app with encrypted password '…'", "p12"),
    ("ALTER USER app PASSWORD '…'", "l8d2"),
    ("DATADOG_KEY=…", "x32"),
    ("ALGOLIA_WRITE_KEY=…", "x32"),
    ("AZURE_STORAGE_KEY=…==", "s86"),
    ("\"pagerdutyIntegrationKey\": \"…\"", "x32"),
    ("FASTLY_KEY=…", "b32"),
];
