//! What agents work with that is no secret: the names and ids of shops, clouds, code and papers, as forms from which tests make them up.

/// Kinds of identifiers: what they are, the names they are kept under, and their forms. In braces stands a kind of letters with a count
/// (`Chance::make`), or `w` for a word, `W` for one with a large letter.
pub const KINDS: &[(&str, &str, &str)] = &[
    // What shops, travel and money are kept by.
    ("order", "order_id orderNumber design_order", "ORD-{d4}-{u6} order_{a14} {d3}-{d7}-{d7} SO{d8} ord_{c26} #{d6}-{U2}"),
    ("refund", "refund_id refundRef", "re_{a24} re_{d1}{a23} rfnd_{a14} RF-{u8} refund_{n21}"),
    ("invoice", "invoice_id credited_invoice", "in_1{a23} INV-{d4}-{d5} {u8}-{d4} inv_{a16} FA{d4}/{d5}"),
    ("payment", "payment_intent signup_payment", "pi_3{a23} pi_{d1}{a23} ch_3{a23} pay_{a14} PAYID-{u7}{u20} {u17}"),
    ("checkout", "checkout_session cs", "cs_test_{a58} cs_live_{a58} seti_1{a23} plink_1{a23} cs_test_a1{a56}"),
    ("customer", "customer_id author assigned_to", "cus_{a14} acct_1{a15} usr_{x6} user_2{a26} u-{d7} gid://shopify/Customer/{d13}"),
    ("price", "price_id basic_plan", "price_1{a23} prod_{a14} plan_{a14} sub_1{a23} si_{a14} sku_{a14}"),
    ("credit note", "credit_note creditor_id accredited_by", "CN-{d4}-{d4} cn_1{a23} CR{d8} GS-{u8}"),
    ("stock unit", "sku design_sku", "SKU-{d4}-{u4}-{U1} SK{d4}-{U3}-{u6} {U3}-{u8}-{U2} SKU{u12} B0{u8}"),
    ("parcel", "tracking_number consignment", "1Z{u16} {U2}{d9}{U2} JD{d18} {d22} SHP-{u10}"),
    ("passport", "passport_number passportNo", "C01X{d2}T{d2} {U2}{d7} {u9} P<{U3}{U8} L{d2}X{d2}K{d3}"),
    ("flight", "flight passenger_record boarding_pass signal", "{U2}{d4} {U6} {u6} SK{d4}/{d2}{U3} {U3}-{U3}-{u6}"),
    ("passenger", "passenger_id passengerRef passed_by", "PX{d10} pax_{a16} PAX-{u10} psg_{x12} {u6}/{d2}"),
    ("account number", "iban_like account_no", "DE{d20} GB{d2}{U4}{d14} NL{d2}{U4}{d10} NO{d13} AT{d18}"),
    ("book", "isbn signature_of_book", "978-{d1}-{d4}-{d4}-{d1} 978{d10} {d9}X 10.{d4}/{w}.{d4}.{d6} ISSN-{d4}-{d3}X"),
    ("vehicle", "vin plate", "WVWZZZ{u11} 1HGCM{d5}A{d6} {U3}-{U2}{d4} {U2}{d2}{U3} JH4{u14}"),
    ("ticket", "ticket assignee_ticket", "PROJ-{d4} {U4}-{d5} HELP-{d6} INC{d7} #{d5} CHG{d7} SEC-{d4} AUTH-{d4} KEY-{d5}"),
    ("hotel", "reservation_id signup_code", "RES-{u10} {d10}-{U2} HMX{u7} bk_{a18} VOUCHER-{U4}-{u4}"),
    // What runs somewhere.
    (
        "pod",
        "pod podName",
        "api-{k10}-{k5} {w}-{k10}-{k5} {w}-{w}-{k10}-{k5} sdk-{w}-{k9}-{k5} key-{w}-{k10}-{k5} sk-{w}-{k10}-{k5} pk-{k10}-{k5} fc-{k10}-{k5}",
    ),
    ("replica set", "replicaset owner", "api-{k10} {w}-api-{x10} {w}-{w}-{k9} token-service-{k10} auth-{k10} pypi-server-{k10}"),
    (
        "kubernetes object",
        "resource object secretName",
        "svc/{w}-{w} deployment.apps/{w}-api cm/{w}-config-{k10} secret/{w}-tls-{k5} job/{w}-{d8}-{k5} ns/{w}-pr-{d4} pvc-{x8}-{x4}-{x4}-{x4}-{x12}",
    ),
    (
        "node",
        "node instance",
        "ip-10-{d1}-{d2}-{d2}.eu-west-1.compute.internal gke-{w}-pool-{x8}-{k4} aks-nodepool1-{d8}-vmss{d6} i-{x17} {w}-worker-{d2}",
    ),
    ("container", "container image_id", "{x64} {x12} docker://{x64} containerd://{x64} cri-o://{x64}"),
    (
        "image",
        "image image_ref",
        "ghcr.io/{w}/{w}@sha256:{x64} {w}/{w}:v{d1}.{d2}.{d1} registry.test:5000/{w}/{w}:{x7} {d12}.dkr.ecr.eu-west-1.amazonaws.com/{w}:{x40} sha256:{x64}",
    ),
    (
        "arn",
        "arn role_arn secret_arn",
        "arn:aws:iam::{d12}:role/{W}{W}Role arn:aws:lambda:us-east-1:{d12}:function:{w}-{w}-{a12} arn:aws:s3:::{w}-{w}-{k10} arn:aws:sqs:eu-west-1:{d12}:{w}-queue-{a13} arn:aws:ecs:us-east-1:{d12}:task/{w}/{x32}",
    ),
    (
        "aws",
        "resource_id private_subnet_id vpc",
        "vpc-{x17} subnet-{x17} sg-{x17} ami-{x17} vol-{x17} eni-{x17} rtb-{x8} snap-{x17} eipalloc-{x17} {a21}",
    ),
    (
        "gcp",
        "resource_name",
        "projects/{w}-{w}-{d6}/locations/europe-west1/services/{w} projects/{d12}/secrets/{w}-{w}/versions/{d1} projects/{w}-{d6}/topics/{w}.{w} //compute.googleapis.com/projects/{w}/zones/us-east1-b/instances/{w}-{k4} {w}@{w}-{d6}.iam.gserviceaccount.com",
    ),
    (
        "azure",
        "resource_group tenant",
        "/subscriptions/{x8}-{x4}-{x4}-{x4}-{x12}/resourceGroups/{w}-rg/providers/Microsoft.Web/sites/{w} {w}{d4}.blob.core.windows.net rg-{w}-{w}-{d3} st{w}{l6}",
    ),
    (
        "object key",
        "object_key s3_key key",
        "{w}/year={d4}/month={d2}/part-{d5}-{x8}-{x4}-{x4}-{x4}-{x12}-c000.snappy.parquet uploads/{x2}/{x2}/{x32}.png s3://{w}-{w}/{w}/{d4}/{d2}/{x40}.json gs://{w}/{n21}/report.csv key-{w}/{w}/{W}{d4}.bin",
    ),
    (
        "deployment",
        "deployment_id deploy",
        "dpl_{a28} {w}-{l9}-{w}.vercel.app {w}-{x8}.netlify.app {w}--{l7}.web.app {w}-{k5}.a.run.app {x24}",
    ),
    ("trace", "trace_id span_id signal_trace", "{x32} {x16} 00-{x32}-{x16}-01 1-{x8}-{x24} Root=1-{x8}-{x24}"),
    (
        "request",
        "request_id x-request-id cf_ray",
        "req_{a24} req_011C{a20} {x16}-FRA {X16} {x8}-{x4}-{x4}-{x4}-{x12} {a27}= iad1::{l5}-{d13}-{x12}",
    ),
    (
        "error report",
        "event_id fingerprint",
        "{x32} SENTRY-{u4} {W}-{U2}{d1} evt_1{a23} issue_{d10} https://{w}.sentry.io/issues/{d10}/events/{x32}/",
    ),
    // What identifies records.
    (
        "uuid",
        "id uuid author_id assignment_id",
        "{x8}-{x4}-4{x3}-8{x3}-{x12} {X8}-{X4}-4{X3}-9{X3}-{X12} urn:uuid:{x8}-{x4}-{x4}-{x4}-{x12} 0198{x4}-{x4}-7{x3}-b{x3}-{x12}",
    ),
    ("ulid", "ulid id", "01{c24} 01H{c23} run_01J{c23} {w}_01h{C23}"),
    ("short id", "id nanoid cuid", "{n21} {a10} {a22} c{l24} cl{l23} {C20} {n12}"),
    ("database id", "_id documentId authored_by", "{x24} ObjectId({x24}) {d18} {d19} {w}_{d9} {a20} rec{a14} tbl{a14} row-{n10}"),
    (
        "model's call",
        "toolCallId call_id message_id",
        "toolu_01{a22} call_{a24} msg_01{a22} resp_{x48} fc_{x48} rs_{x48} chatcmpl-{a29} run_{a24} thread_{a24} file-{a22} asst_{a24} batch_{x32}",
    ),
    ("chat", "channel thread_ts private_channel", "C0{u9} U0{u9} T0{u9} {d10}.{d6} D0{u8} <@U0{u9}> {d18}/{d19}"),
    (
        "page token",
        "nextPageToken next_page_token pageToken NextToken continuationToken cursor sync_token",
        "CAUQAA CAEQ{a16} eyJ{a40} eyJ2{a20}= eyJpZCI6{a24} {b44}= {a64} Q{a30} {x32}",
    ),
    ("video", "video_id design_asset", "{n11} https://youtu.be/{n11} v={n11} vimeo/{d9} PL{n32}"),
    (
        "drawing",
        "file_key design_id signed_off",
        "https://www.figma.com/design/{a22}/{W}-{W}?node-id={d2}-{d4} DSN-{d5}-{U2} {d4}:{d5} dsn_{a12}",
    ),
    (
        "note",
        "page_id note_id",
        "{x32} https://www.notion.so/{W}-{W}-{x32} {w}-{x32} https://linear.app/{w}/issue/{U3}-{d4}/{w}-{w}-{w} 1{n43}",
    ),
    // What code is kept by.
    ("short commit", "commit authored_commit assigned_commit", "{x7} {x8} {x10} {x12} v{d1}.{d1}.{d1}-{d2}-g{x7} {x7}..{x7}"),
    ("long commit", "sha head_sha author_commit", "{x40} {x64} git+https://github.com/{w}/{w}.git#{x40} {w}@{x40} index {x7}..{x7}"),
    (
        "git ref",
        "ref branch",
        "refs/heads/{w}/{w}-{w}-{d4} refs/pull/{d4}/merge origin/{w}/{U4}-{d4}-{w} {w}/sk-{w}-{d3} stash@{{d1}} refs/tags/v{d1}.{d2}.{d1}",
    ),
    (
        "package",
        "package dependency",
        "@{w}/{w}@{d1}.{d2}.{d1} {w}-{w}@{d1}.{d1}.{d1}-beta.{d2} {w}=={d1}.{d2}.{d1} {w}_{w}-{d1}.{d1}.{d1}-cp312-cp312-manylinux_2_17_x86_64.whl {w}-{w}-{d1}.{d2}.jar pkg:npm/%40{w}/{w}@{d1}.{d1}.{d1} npm:{w}@^{d1}.{d1}.{d1}",
    ),
    (
        "version",
        "version build",
        "{d1}.{d2}.{d1}+build.{d4}.{x7} v{d1}.{d1}.{d1}-rc.{d1}+{x8} {d4}.{d1}.{d1}-canary.{d2} 0.0.0-{x9}-{d8} v1.0-rc.1-{d8}{x8} v1.0-{x12}",
    ),
    ("integrity", "integrity", "sha512-{b86}== sha256-{b43}= sha1-{b27}= sha384-{b64}"),
    ("lockfile checksum", "checksum hash", "10c0/{x128} h1:{b43}= sha256:{x64} {x40} {x64} md5:{x32} --hash=sha256:{x64} crc32c:{b6}=="),
    ("etag", "etag if-none-match", "W/{x8}-{b27} {x32}-{d2} {x32} 0x8D{X15} W/{x2}-{x11}"),
    (
        "webpack chunk",
        "chunk chunkFile",
        "main.{x20}.js {d4}.{x16}.chunk.js static/chunks/{d4}-{x16}.js assets/index-{n8}.js assets/{W}-{n8}.css _next/static/{n21}/_buildManifest.js chunk-{u8}.js vendors~{w}.{x8}.css",
    ),
    (
        "css class",
        "class className",
        "{W}_{w}__{n5} css-{l6} sc-{a6}-{d1} {w}_{w}_{a5} styles__{w}--{a5} tw-bg-[#{x6}] svelte-{l6} sk-{w}_{W}__{a5} {w}__{w}--{w} jss{d3} Mui{W}-root-{d3}",
    ),
    ("svg and font", "glyph iconId", "icon-{w}-{x6} #{w}{d4} font/{w}-{w}.{x8}.woff2 url(#clip{d1}_{d4}_{d5}) M{d2}.{d1}L{d2}.{d1}"),
    (
        "boundary",
        "boundary",
        "----WebKitFormBoundary{a16} --------------------------{d24} =_NextPart_{d3}_{X4}_{X8}.{X8} ----=_Part_{d5}_{d10}.{d13} {x32} {n12}_{d8}",
    ),
    (
        "mail id",
        "message-id in_reply_to",
        "<{a26}@mail.{w}.test> {d14}.{x12}@{w}.test CAK{n40}@mail.gmail.com 0100{x12}-{x8}-{x4}-{x4}-{x4}-{x12}-000000@eu-west-1.amazonses.com",
    ),
    // Paths.
    (
        "docs path",
        "path file",
        "docs/{d2}-ai-sdk-ui/{d2}-{w}-{w}.mdx content/docs/{d2}-{w}/{d2}-{w}.mdx docs/{w}/{w}-{w}.md packages/sdk-js/{w}-{w}.ts docs/sk-SK/{w}/{w}.md website/i18n/{w}/{w}.json",
    ),
    (
        "next.js path",
        "path file",
        "app/(auth)/{w}/[{w}Id]/page.tsx app/api/auth/[...nextauth]/route.ts .next/server/chunks/{d4}.js pages/api/{w}/[token].ts app/{w}/reset-password/page.tsx app/@{w}/(.){w}/layout.tsx",
    ),
    (
        "rails path",
        "path file",
        "app/controllers/{w}s_controller.rb config/credentials/{w}.yml.enc db/migrate/{d14}_add_{w}_to_{w}s.rb app/views/{w}s/_{w}.html.erb lib/tasks/{w}.rake spec/models/{w}_token_spec.rb",
    ),
    (
        "java path",
        "path file",
        "src/main/java/com/{w}/{w}/{W}{W}Service.java src/test/java/com/{w}/{W}TokenTest.java com.{w}.{w}.{W}{W}Factory$Builder {w}-{d1}.{d1}.{d1}-SNAPSHOT.jar target/classes/{w}/{W}.class",
    ),
    (
        "python path",
        "path file",
        "{w}/{w}/migrations/{d4}_auto_{d8}_{d4}.py tests/test_{w}.py::Test{W}::test_{w}_{w}[{w}-{d2}] site-packages/{w}-{d1}.{d1}.dist-info/RECORD {w}/__pycache__/{w}.cpython-312.pyc {w}/tokenization_{w}_fast.py",
    ),
    (
        "go and rust path",
        "path file",
        "pkg/mod/github.com/{w}/{w}@v{d1}.{d1}.{d1}-{d14}-{x12}/{w}.go crates/{w}-{w}/src/{w}.rs target/debug/deps/{w}-{x16}.rlib target/debug/incremental/{w}-{l13}/s-{l10}-{l6}-{l25}/dep-graph.bin internal/{w}/{w}_test.go",
    ),
    (
        "services path",
        "path file",
        "services/{W}Service/src/{W}{W}.ts services/TokenService/{W}/v{d1}/{W}.kt services/TransactionHandler/{W}2{W}.java webhooks/{w}-{w}/{W}{d2}Handler.ts src/webhooks/stripe/{w}V{d1}.ts test_{w}/{W}{d1}_{w}.py",
    ),
    (
        "sdk path",
        "path file",
        "libs/sdk-{w}-{w}/x86_64/{w}.{x8}.so ai-sdk-ui/{d2}-{w}.mdx api-reference/{d2}-{w}/{w}.md api-{w}/v{d1}/{w}-{w}.yaml live_{w}/{W}Channel.ex access-{w}/{W}{d2}.cs",
    ),
    (
        "system path",
        "path PWD OLDPWD dir",
        "/tmp/tmp.{a10} /var/folders/{l2}/{l30}/T/{w} /proc/{d5}/fd/{d2} /home/{w}/.cache/{w}/{x2}/{x38} /nix/store/{l32}-{w}-{d1}.{d1} C:/Users/{w}/AppData/Local/Temp/{x8}.tmp /private/tmp/{w}-{d5}-{a12}/{w}.sock",
    ),
    (
        "store path",
        "path file",
        "node_modules/.pnpm/{w}@{d1}.{d1}.{d1}_{w}@{d1}.{d1}.{d1}/node_modules/{w}/index.js .git/objects/{x2}/{x38} .yarn/cache/{w}-npm-{d1}.{d1}.{d1}-{x10}-{x10}.zip ~/.cargo/registry/src/index.crates.io-{x16}/{w}-{d1}.{d1}.{d1}/src/lib.rs .turbo/cache/{x16}.tar.zst",
    ),
    (
        "url",
        "url link",
        "https://{w}.test/{w}/{w}-{w}-{w}-{d6} https://www.{w}.test/blog/{d4}/{d2}/{w}-{w}-{x6} https://github.com/{w}/{w}/blob/{x40}/src/{w}.ts#L{d2}-L{d3} https://{w}.test/watch?v={n11} http://localhost:5173/{w}?tab={w} https://{w}.test:8443/{w}/@{w}/{w} https://cdn.{w}.test/{x2}/{x32}/{w}@2x.webp",
    ),
    (
        "endpoint",
        "token_url auth_uri endpoint",
        "https://login.microsoftonline.com/{x8}-{x4}-{x4}-{x4}-{x12}/oauth2/v2.0/token https://{w}.auth.eu-west-1.amazoncognito.com/oauth2/token https://oauth2.googleapis.com/token https://{w}-{l8}.eu.auth0.com/.well-known/jwks.json",
    ),
    // What code is made of.
    (
        "function",
        "function symbol passwordResetForm tokenizer",
        "tokenize{W} authorize{W}Request passwordReset{W}Form secretary{W}Id signalHandler{W} assign{W}ToAuthor design{W}Tokens compassHeading{d2} getServerSidePropsFor{W} {w}{W}{W}V{d1} hf_{w}_{w}_and_{w} patch_{w}_{w}",
    ),
    (
        "type",
        "type class",
        "Passenger{W}Repository Abstract{W}AuthenticationProviderFactory Signal{W}Dispatcher I{W}Credit{W} {W}TokenizerFast SecretKeyRef{W} Key{W}ListenerV{d1} SKPaymentTransaction{W}",
    ),
    (
        "variable",
        "name env",
        "DATABASE_{U6}_PASSWORD AWS_SECRET_ACCESS_KEY NEXT_PUBLIC_{U8}_URL {U7}_API_KEY X_{U5}_TOKEN GITHUB_{U6}_TOKEN PASSENGER_{U5}_ID SIGNAL_{U6}_LEVEL",
    ),
    (
        "test",
        "test_id testId",
        "test_{w}_{w}_{w} test_{x6}_{w} {w}.spec.ts:{d3}:{d2} data-testid-{w}-{n6} tc_{d6} test_{w}{d4}_{x8} e2e/{w}.cy.ts live_{w}_{w}_{d4}",
    ),
    (
        "message key",
        "i18n key",
        "auth.password.reset.{w}.title {w}.{w}.tokenExpired errors.credit.{w}Declined {w}:secretQuestion.{w} form.signIn.{w}.hint2 passenger.details.{w}V{d1}",
    ),
    (
        "database name",
        "database table",
        "{w}_{w}_prod_{d8} {w}_{d4}q{d1}_{x6} idx_{w}_{w}_on_{w} fk_rails_{x10} pg_toast_{d5} {w}.{w}_tokens uq_{w}_{x8} sl.{w}_{d2}{a8} t1.{w}_{w}_id dp.{w}_{w}.{w}",
    ),
    (
        "queue and topic",
        "topic queue",
        "{w}.{w}.v{d1} {w}-{w}-dlq-{k6} $aws/things/{w}{d4}/shadow/update amq.gen-{n22} __consumer_offsets-{d2} https://sqs.eu-west-1.amazonaws.com/{d12}/{w}-{a10}.fifo",
    ),
    (
        "device",
        "device serial",
        "{x2}:{x2}:{x2}:{x2}:{x2}:{x2} 2001:db8:{x4}:{x4}::{x4} {u12} SN{u10} fe80::{x4}:{x4}:{x4}:{x4}%en0 {d10}:AA:BB:{X2} 10.{d2}.{d2}.{d2}:{d4}",
    ),
    ("chain", "token_address tx_hash", "0x{x40} 0x{x64} {5:44} bc1q{l38} ENS:{w}{d3}.eth ipfs://Qm{5:44} bafybei{L52}"),
    (
        "signature of a book or song",
        "author design signalling compass",
        "QA76.{d2}.{U1}{d2} {U2}-{U3}-{d2}-{d5} K{d3}.{d2}b op.{d2}/{d1} {U2}{d4}-{u4}",
    ),
    (
        "feature",
        "flag assigned_variant experiment",
        "ff_{w}_{w}_{x6} exp-{d4}-{w}-{n6} {w}.{w}.rollout{d2} GTM-{u7} G-{u10} UA-{d8}-{d1} AW-{d10}/{n19}",
    ),
    (
        "color and time",
        "created_at color passing_time",
        "#{x8} {d4}-07-{d2}T{d2}:{d2}:{d2}.{d3}Z 20{d2}-W{d2}-{d1} hsl(var(--{w})) {d13} P{d1}DT{d2}H{d2}M rgba({d2},{d2},{d2},.5)",
    ),
    (
        "job",
        "job_id run_id authored_run",
        "run-{d10} {w}-{d10}-{k5} job_{c26} {x8}/{d4}@{w} scheduled__{d4}-01-{d2}T00:00:00+00:00 airflow-{w}-{l8} gha-{d10}-{d1} {U4}-{U3}-JOB{d2}-{d4}",
    ),
    ("place on a map", "place_id geohash", "ChIJ{n23} {l9} {u4}+{u3} {d2}.{d5},{d2}.{d5} w{d9} 8FVC{u4}+{u2}"),
];
