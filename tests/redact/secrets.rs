//! Secrets of public forms, made up while a test runs: beginnings are written in two halves, so that no scanner takes this file for a leak.

/// Numbers that look like chance and are the same at every run.
pub struct Chance(pub u64);

impl Chance {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// A text of a form such as `a32.x4-a27`: a kind and a count, or a mark as it stands.
    pub fn fill(&mut self, form: &str) -> String {
        let mut text = String::new();
        let mut letters = form.chars().peekable();
        while let Some(kind) = letters.next() {
            let letters_of: &[u8] = match kind {
                'a' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                'b' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
                's' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                'l' => b"abcdefghijklmnopqrstuvwxyz0123456789",
                'u' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                'x' => b"0123456789abcdef",
                'd' => b"0123456789",
                'p' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%*?^",
                mark => {
                    text.push(mark);
                    continue;
                }
            };
            let mut count = String::new();
            while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                count.push(digit);
            }
            for _ in 0..count.parse().unwrap_or(1) {
                text.push(char::from(letters_of[self.below(letters_of.len())]));
            }
        }
        text
    }
}

/// Public forms of secrets: the two halves of the beginning, and what follows. Sources: the providers' documentation, gitleaks.
pub const FORMS: [(&str, &str, &str); 106] = [
    ("AK", "IA", "u16"),
    ("AS", "IA", "u16"),
    ("LT", "AI", "a20"),
    ("AK", "ID", "a32"),
    ("gh", "p_", "a36"),
    ("gh", "o_", "a36"),
    ("gh", "s_", "a36"),
    ("gh", "r_", "a36"),
    ("github", "_pat_", "a22_a59"),
    ("gl", "pat-", "b20"),
    ("gl", "dt-", "b20"),
    ("gl", "rt-", "b20"),
    ("xo", "xb-", "d12-d13-a24"),
    ("xo", "xp-", "d12-d12-d12-x32"),
    ("xo", "xe.xoxp-1-", "a60"),
    ("xa", "pp-1-", "u11-d13-x64"),
    ("hooks.slack", ".com/services/T", "u10/B9ABu8/a24"),
    ("sk_", "live_", "a24"),
    ("sk_", "test_", "a24"),
    ("rk_", "live_", "a24"),
    ("wh", "sec_", "a32"),
    ("sk", "-", "a20T3BlbkFJa20"),
    ("sk", "-proj-", "b120"),
    ("sk", "-ant-api03-", "b93AA"),
    ("sk", "-or-v1-", "x64"),
    ("sk", "-lf-", "x8-x4-x4-x4-x12"),
    ("gs", "k_", "a52"),
    ("xa", "i-", "a80"),
    ("pp", "lx-", "a48"),
    ("hf", "_", "a34"),
    ("r8", "_", "a37"),
    ("nv", "api-", "b64"),
    ("tv", "ly-", "a32"),
    ("fc", "-", "x32"),
    ("lsv2", "_pt_", "x32_x10"),
    ("AI", "za", "b35"),
    ("GO", "CSPX-", "b28"),
    ("ya", "29.", "b120"),
    ("S", "K", "x32"),
    ("S", "G.", "b22.b43"),
    ("ke", "y-", "x32"),
    ("xke", "ysib-", "x64-a16"),
    ("np", "m_", "a36"),
    ("py", "pi-AgEIcHlwaS5vcmc", "b60"),
    ("ruby", "gems_", "x48"),
    ("oy", "2", "l43"),
    ("ci", "o", "a32"),
    ("dckr", "_pat_", "b27"),
    ("do", "p_v1_", "x64"),
    ("sh", "pat_", "x32"),
    ("sh", "pss_", "x32"),
    ("sq", "0atp-", "b22"),
    ("sq", "0csp-", "b43"),
    ("EA", "AA", "b60"),
    ("EA", "ACEdEose0cBA", "a100"),
    ("da", "pi", "x32"),
    ("lin", "_api_", "a40"),
    ("sec", "ret_", "a43"),
    ("nt", "n_", "a46"),
    ("fi", "gd_", "b43"),
    ("dp", ".pt.", "a43"),
    ("hv", "s.", "b90"),
    ("hv", "b.", "b140"),
    ("a14.", "atlasv1.", "a64"),
    ("pu", "l-", "x40"),
    ("gl", "sa_", "a32_x8"),
    ("gl", "c_", "a60"),
    ("HR", "KU-AA", "b58"),
    ("nf", "p_", "a36"),
    ("sb", "p_", "x40"),
    ("sb_", "secret_", "b31"),
    ("pscale", "_tkn_", "b43"),
    ("pscale", "_pw_", "b43"),
    ("np", "g_", "a24"),
    ("PM", "AK-", "x24-x34"),
    ("NR", "AK-", "u27"),
    ("dt0", "c01.", "u24.u64"),
    ("sn", "trys_", "a60"),
    ("sn", "tryu_", "x64"),
    ("ATA", "TT3xFfGF0", "b180"),
    ("AT", "BB", "a32"),
    ("sl", ".", "b135"),
    ("sk", ".eyJ", "a60.a22"),
    ("pa", "t", "a14.x64"),
    ("AGE", "-SECRET-KEY-1", "u58"),
    ("AQ", "VN", "b36"),
    ("ai", "o_", "a28"),
    ("CLO", "JARS_", "l60"),
    ("CF", "PAT-", "b43"),
    ("duf", "fel_live_", "b43"),
    ("EZ", "AK", "a54"),
    ("FLW", "SECK_TEST-", "x32-X"),
    ("fi", "o-u-", "b64"),
    ("pn", "u_", "l36"),
    ("rd", "me_", "l70"),
    ("ship", "po_live_", "x40"),
    ("sg", "p_", "x40"),
    ("op", "s_eyJ", "a250"),
    ("v1", ".0-", "x24-x146"),
    ("Fly", "V1 fm2_", "s100"),
    ("ts", "key-auth-", "a12-a32"),
    ("CCI", "PAT_", "a22_x40"),
    ("sq", "p_", "x40"),
    ("re", "_", "a8_a24"),
    ("ph", "x_", "a43"),
    ("access", "-production-", "x8-x4-x4-x4-x12"),
];

/// Secrets known by where they stand; `…` is the secret.
pub const PLACES: [(&str, &str); 34] = [
    ("export DATABASE_PASSWORD=…", "p20"),
    ("password: …\n", "p16"),
    ("\"password\": \"…\",", "p24"),
    ("{\\\"clientSecret\\\":\\\"…\\\"}", "a32"),
    ("secret='…'", "a24"),
    ("aws_secret_access_key = …", "s40"),
    ("AWS_SESSION_TOKEN=…", "s200"),
    ("AccountKey=…==;EndpointSuffix=core.windows.net", "s86"),
    ("SharedAccessKey=…=", "s43"),
    ("?sv=2022&sig=…%3D&se=2030", "a43"),
    ("curl -H \"Authorization: Bearer …\"", "b40"),
    ("authorization: Basic …==", "a30"),
    ("'X-Api-Key': '…'", "x32"),
    ("api_key: …", "x40"),
    ("apikey=…&q=1", "a32"),
    ("mysql --password …", "a16"),
    ("deploy --auth-token …", "x40"),
    ("postgres://admin:…@db.internal:5432/app", "a20"),
    ("https://user:…@github.com/o/r.git", "x40"),
    ("redis://:…@cache:6379/0", "a32"),
    ("mongodb+srv://app:…@cluster0.mongodb.net", "p18"),
    ("amqps://svc:…@queue/vhost", "a24"),
    ("<password>…</password>", "a20"),
    ("config.secret_token = \"…\"", "x64"),
    ("'passphrase' => '…',", "a20"),
    ("private_key_id: …", "x40"),
    ("os.environ[\"SLACK_TOKEN\"] = \"…\"", "a40"),
    ("refresh_token=…&grant_type=refresh", "b60"),
    ("\"access_token\":\"…\"", "b60"),
    ("//registry.npmjs.org/:_authToken=…", "x8-x4-x4-x4-x12"),
    ("_auth = …=", "s43"),
    ("encryption_key: …", "x64"),
    ("PWD_HASH_SALT=…", "a22"),
    ("https://h.test/a?X-Amz-Date=2&X-Amz-Signature=…", "x64"),
];
