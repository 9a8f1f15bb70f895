//! Context windows and output limits of models. GENERATED: do not edit, run `node scripts/generate-limits.mjs`.
//! Not a list of all models: a row that only repeats what its prefix says is left out.
//!
//! Made from npm `@earendil-works/pi-ai` 1.5.2 (license MIT, data of 2026-11-10) and a
//! hand-kept list of retired models in that script. Windows are facts; no text of the package is copied.

/// Pairs of tokens that a prompt must fit in and most tokens of a reply; rows refer to them by index.
#[rustfmt::skip]
pub(crate) static SIZES: &[(u32, u32)] = &[
    (4096, 4096), (8192, 8192), (16384, 16384), (16385, 4096), (24000, 24000), (30720, 2048), (32000, 16384),
    (32768, 4096), (32768, 8192), (32768, 16384), (32768, 26214), (32768, 29491), (32768, 32000), (32768, 32768),
    (40960, 16384), (40960, 32768), (64000, 8192), (64000, 32768), (65536, 8192), (65536, 16384), (65536, 32768),
    (65536, 52428), (65536, 58982), (65536, 65536), (96000, 32000), (100000, 4096), (122880, 8192), (128000, 4000),
    (128000, 4096), (128000, 8000), (128000, 8192), (128000, 10000), (128000, 16000), (128000, 16384),
    (128000, 32768), (128000, 40000), (128000, 64000), (128000, 65536), (128000, 96000), (128000, 102400),
    (128000, 115200), (128000, 128000), (131000, 16384), (131000, 131000), (131072, 4096), (131072, 8192),
    (131072, 16384), (131072, 32768), (131072, 65536), (131072, 98304), (131072, 104857), (131072, 117964),
    (131072, 128000), (131072, 131072), (163840, 32768), (163840, 147456), (163840, 163840), (192000, 64000),
    (196608, 32768), (200000, 4096), (200000, 8192), (200000, 32000), (200000, 64000), (200000, 96000),
    (200000, 100000), (200000, 128000), (200000, 131072), (202752, 16384), (202752, 128000), (204608, 128000),
    (204800, 131000), (204800, 131072), (256000, 4096), (256000, 8192), (256000, 10000), (256000, 32000),
    (256000, 64000), (256000, 65536), (256000, 230400), (256000, 256000), (260000, 65536), (262144, 8192),
    (262144, 16000), (262144, 16384), (262144, 32768), (262144, 65536), (262144, 98304), (262144, 128000),
    (262144, 131072), (262144, 235929), (262144, 250000), (262144, 256000), (262144, 262000), (262144, 262144),
    (272000, 128000), (300000, 10000), (400000, 128000), (500000, 450000), (500000, 500000), (512000, 512000),
    (524288, 131072), (524288, 262144), (872000, 128000), (922000, 128000), (991000, 64000), (1000000, 8192),
    (1000000, 10000), (1000000, 16384), (1000000, 30000), (1000000, 32768), (1000000, 64000), (1000000, 65000),
    (1000000, 65535), (1000000, 65536), (1000000, 80000), (1000000, 128000), (1000000, 131072), (1000000, 262144),
    (1000000, 384000), (1000000, 512000), (1000000, 524288), (1040000, 8192), (1047576, 32768), (1048572, 262144),
    (1048573, 131072), (1048573, 262144), (1048576, 8192), (1048576, 32768), (1048576, 65536), (1048576, 128000),
    (1048576, 131072), (1048576, 262144), (1048576, 384000), (1048576, 393216), (1048576, 524288),
    (1048576, 943718), (1048576, 1048576), (2000000, 30000), (2000000, 1800000), (2000000, 2000000),
    (2097152, 8192), (10000000, 8192),
];

/// Families by their word, sorted, and their rows: the rest of an id as tokens joined by `-`, `:`, an index of `SIZES`.
///
/// Rows are sorted too. One text for each family, because a pointer and a length for each row would triple the size.
/// The row without a rest is what an unknown member of the family gets.
#[rustfmt::skip]
pub(crate) static FAMILIES: &[(&str, &str)] = &[
    ("chatgpt", "\
        4o:33"),
    ("claude", "\
        :61 2:25 2-1:59 3:59 3-5-haiku:60 3-5-sonnet:60 3-7-sonnet:62 fable:115 fable-5:115 fable-5-1:115 \
        fable-5-2:115 haiku:115 haiku-4-5:62 haiku-5-5:115 instant:25 mythos:115 opus:115 opus-4:61 opus-4-1:61 \
        opus-4-5:62 opus-4-6:115 opus-4-7:115 opus-4-8:115 opus-5:115 opus-5-5:115 sonnet:115 sonnet-4:62 \
        sonnet-4-5:62 sonnet-4-6:115 sonnet-5:115 sonnet-5-5:115"),
    ("codestral", "\
        :27 2508:73 latest:72"),
    ("codex", "\
        mini:64"),
    ("command", "\
        a:73 a-plus:57 r:28 r-08-2024:27 r-7b-12-2024:27 r-plus-08-2024:27"),
    ("deepseek", "\
        :30 3:16 3-0324:56 3-1:45 3-1-terminus:55 3-2:48 3-2-exp:55 3-2-thinking:29 4-1-flash:118 \
        4-1-flash-1017-fast:131 4-1-flash-fast:127 4-1-flash-free:61 4-flash:118 4-flash-vision-exp:132 4-pro:118 \
        chat:30 chat-3-0324:40 chat-3-1:55 flash:118 pro:133 r-1:17 r-1-0528:54 reasoner:36"),
    ("devstral", "\
        :30 2-123b:81 2512:93 latest:93 medium:93 small-2512:79"),
    ("gemini", "\
        :30 1-0:5 1-5-flash:126 1-5-pro:140 2-0:126 2-5-computer-use-preview-10-2025:36 2-5-flash:128 2-5-pro:128 \
        3-1-flash-lite:128 3-1-pro:128 3-5-flash:128 3-6-flash:128 3-7-flash:128 3-8-flash:128 3-flash:111 \
        3-flash-preview:128 3-pro:128 3-pro-image:20 4-argon:127 flash:128 nano-banana-2-1:22 pro:128 \
        robotics-er-2-preview:48"),
    ("gemma", "\
        :30 2:1 3-12b-it:46 3-27b-it:51 3-4b-it:46 4-26b-a-4b:84 4-31b:84 4-e-2b:45"),
    ("glm", "\
        :30 4:28 4-5:38 4-5-air:49 4-5v:19 4-6:63 4-6v:47 4-7:71 4-7-flash:51 4-7-flashx:65 5:67 5-1:68 5-2:116 \
        5-2-fast:115 5-3:116 5-3-fast:131 5-3-flash-free:61 5-3-spot:125 5-turbo:66 5v-turbo:65 fast:123 flash:124 \
        latest:125"),
    ("gpt", "\
        :30 3-5:3 3-5-turbo-instruct:0 35:3 4:1 4-0125:28 4-1:122 4-1106:28 4-32k:8 4-5:33 4-turbo:28 4-vision:28 \
        4o:33 4o-2024-05-13:28 5:94 5-1:94 5-1-chat:33 5-2:94 5-2-chat:33 5-3-chat:33 5-3-codex:94 \
        5-3-codex-spark:24 5-4:103 5-4-mini:94 5-4-nano:94 5-5:103 5-5-fast:102 5-6-cyber:94 5-6-luna:103 \
        5-6-sol:103 5-6-terra:103 5-chat:33 6-1-sol:103 6-1-terra:103 6-astra:103 6-luna:103 6-sol:103 astra:103 \
        audio:33 chat:96 daybreak-blue:103 daybreak-red:94 luna:103 mini:94 oss-120b:33 oss-20b:33 \
        oss-safeguard-120b:32 oss-safeguard-20b:32 sol:103 terra:103"),
    ("granite", "\
        4-0-h-micro:43 4-2-8b:51"),
    ("grok", "\
        :30 2:45 2-vision:8 3:45 4:76 4-1-fast:137 4-20:138 4-20-multi-agent:139 4-20-non-reasoning:139 \
        4-20-reasoning:139 4-3:108 4-5:98 4-6:98 4-7:98 4-fast:137 build-0-1:78 code-fast:74 latest:97 voice-3-0:0"),
    ("inkling", "\
        :100 2-small-free:130 small:101"),
    ("jamba", "\
        :72"),
    ("kimi", "\
        :30 fast:130 k-2:49 k-2-0905:86 k-2-5:72 k-2-6:93 k-2-7-code:93 k-2-instruct:46 k-2-instruct-0905:83 \
        k-2-thinking:82 k-3:136 k-3-1:136 k-3-fast:116 k-3-spot:130 latest:130"),
    ("laguna", "\
        s-2-1:116 xs-2-1:83"),
    ("lfm", "\
        2-5-2-6b:30 2-5-2-6b-free:18 2-5-24b-a-2b:30 3-1-7b:81"),
    ("ling", "\
        2-6-1t:85 2-6-flash:85 3-0-flash:75 3-0-flash-vl:47 3-0-tiny:90 3-1-flash:84 3-1-flash-1019:117"),
    ("llama", "\
        :30 2:0 3:1 3-1:30 3-1-70b-instruct:28 3-1-8b-instant:53 3-1-8b-instruct:44 3-1-nemotron-ultra-253b:33 \
        3-2:30 3-3:30 3-3-70b-instruct:28 3-3-70b-instruct-fp-8-fast:4 3-3-70b-versatile:47 4-maverick:30 \
        4-maverick-17b-instruct:105 4-scout:30 4-scout-17b-16e-instruct:42 4-scout-17b-instruct:141"),
    ("longcat", "\
        2-0:116 2-5:130 2-5-free:117"),
    ("magistral", "\
        :30 medium:83 small-2509:35"),
    ("mercury", "\
        2:41 2-5:80 3:116 coder-small:6"),
    ("mimo", "\
        :30 2-5:113 2-5-pro:129 2-6-flash:130 2-6-flash-free:61 2-6-pro:130"),
    ("minimax", "\
        :30 latest:99 m-1-80k:114 m-2:69 m-2-1:71 m-2-5:58 m-2-5-highspeed:70 m-2-7:71 m-3:120 m-3-1-flash:120 \
        m-3-1-flash-free:119"),
    ("ministral", "\
        :30 14b:91 14b-2512:93 3-14b-instruct:28 3-3b-instruct:73 3-8b-instruct:28 3b:52 3b-2512:53 8b:87 8b-2512:93"),
    ("mistral", "\
        :30 7b:8 7b-instruct-0-3:23 large:93 large-2402:8 large-2407:50 large-2411:53 large-3:91 \
        large-3-675b-instruct:81 large-4:131 large-4-0:131 large-4-0-8:131 medium:93 medium-2505:53 medium-3:50 \
        medium-3-1:50 medium-3-5:93 nemo:41 saba:10 small:91 small-2506:33 small-3-1-24b-instruct:39 \
        small-3-2-24b-instruct:10"),
    ("mixtral", "\
        :30 8x-22b:18 8x-22b-instruct:21 8x-7b:8"),
    ("moonshot", "\
        1-128k:53 1-32k:13 1-8k:1"),
    ("muse", "\
        ember:135 ember-1-0:134 glimmer-30b:46 spark-1-1:130 spark-1-2:130 spark-1-3:130 spark-open:130 wonder:135 \
        wonder-1-0:130"),
    ("nemotron", "\
        :30 3-120b-a-12b:79 3-5-lightning:88 3-5-lightning-30b-a-3b:93 3-5-lightning-free:111 3-5-super-vl:135 \
        3-5-super-vl-120b-a-12b:126 3-5-super-vl-free:116 3-nano-30b-a-3b:89 3-nano-omni-30b-a-3b-reasoning:77 \
        3-super-120b-a-12b:75 3-ultra-550b-a-55b:113 nano-12b-2:45 nano-12b-2-vl:53 nano-3-30b:81 nano-9b-2:45 \
        super-3-120b:88"),
    ("nova", "\
        2-lite:112 lite:95 micro:31 premier:106 pro:95"),
    ("o", "\
        1:64 1-mini:37 1-preview:34 3:64 4-mini:64"),
    ("palmyra", "\
        x-4:26 x-5:121"),
    ("phi", "\
        3-5:44 3-mini-128k:44 3-mini-4k:0 4:2"),
    ("pixtral", "\
        :30 12b:41 large-2502:30"),
    ("qwen", "\
        :30 2:8 2-5:45 2-5-72b-instruct:9 2-5-7b-instruct:11 3-14b:14 3-235b:83 3-235b-a-22b:14 3-235b-a-22b-2507:51 \
        3-235b-a-22b-instruct-2507:83 3-235b-a-22b-thinking-2507:33 3-30b:14 3-30b-a-3b-fp-8:13 \
        3-30b-a-3b-instruct-2507:89 3-32b:9 3-5-122b-a-10b:85 3-5-27b:85 3-5-35b-a-3b:85 3-5-397b-a-17b:76 3-5-9b:85 \
        3-5-flash:110 3-5-flash-02-23:113 3-5-plus:110 3-5-plus-02-15:113 3-6-27b:85 3-6-35b-a-3b:85 3-6-flash:113 \
        3-6-plus:113 3-7-flash:104 3-7-max:116 3-7-plus:113 3-8-2-4t-a-95b:87 3-8-27b:46 3-8-flash:116 3-8-max:116 \
        3-8-max-0902:88 3-8-omni-flash:116 3-8b:15 3-coder:84 3-coder-30b-a-3b:81 3-coder-30b-a-3b-instruct:85 \
        3-coder-480b-a-35b:48 3-coder-480b-a-35b-instruct:85 3-coder-flash:113 3-coder-next:85 3-max-thinking:77 \
        3-next-80b-a-3b:92 3-next-80b-a-3b-instruct:83 3-next-80b-a-3b-thinking:93 3-vl-235b-a-22b:92 \
        3-vl-235b-a-22b-instruct:47 3-vl-235b-a-22b-thinking:47 3-vl-30b-a-3b-instruct:47 3-vl-30b-a-3b-thinking:89 \
        3-vl-8b-instruct:89 3-vl-instruct:93 max:8 plus:109 turbo:107"),
    ("ring", "\
        2-6-1t:85"),
    ("seed", "\
        1-6:75 1-6-flash:84 1-8:76 2-0-code:88 2-0-lite:88 2-0-mini:88 2-1-turbo:89"),
    ("sonar", "\
        :30 pro:60"),
    ("step", "\
        3-5-flash:85 3-7-flash:78 5-preview:110"),
    ("voxtral", "\
        :30 mini-3b-2507:7 small:12 small-24b-2507:8"),
];
