// What it is: long conversations in which rules are scattered: of the user, of a policy text that a tool returned and of system messages, some alone and some hidden in long texts. Five languages, seeded.
// The rules are the material; the rest only fills the window. Knows no policy of stepfold (find.mjs, run.mjs).

import { random } from '../agents/session.mjs';

/** Sentences that fill, and rules `{n}` of which are told apart by a number: by language. */
const LANGUAGES = {
  en: {
    filler: ['The shelf was checked and nothing was missing.', 'This entry was copied from the older list.', 'The count agrees with the week before.', 'Nobody has asked for this part since spring.', 'The label is worn but can be read.', 'See the table of the other building.'],
    rules: ['Never send anything to customer {n} before noon.', 'Prices of group {n} must not be told on the phone.', 'Always ask the owner before you open locker {n}.', 'Do not combine vouchers with contract {n}.'],
    go: 'Go on with the next one.', request: 'Check the whole stock of the four buildings, shelf by shelf.', done: 'Checked.',
  },
  de: {
    filler: ['Das Regal wurde geprüft, es fehlte nichts.', 'Der Eintrag stammt aus der älteren Liste.', 'Die Zählung stimmt mit der Vorwoche überein.', 'Seit dem Frühjahr hat niemand danach gefragt.', 'Das Etikett ist abgenutzt, aber lesbar.', 'Siehe die Tabelle des anderen Gebäudes.'],
    rules: ['Kunde {n} bekommt vor zwölf Uhr niemals eine Nachricht.', 'Preise der Gruppe {n} werden am Telefon nicht genannt.', 'Fach {n} wird nur nach Rückfrage beim Eigentümer geöffnet.', 'Gutscheine gelten nicht zusammen mit Vertrag {n}.'],
    go: 'Weiter mit dem nächsten.', request: 'Prüfe den ganzen Bestand der vier Gebäude, Regal für Regal.', done: 'Geprüft.',
  },
  es: {
    filler: ['Se revisó el estante y no faltaba nada.', 'La entrada procede de la lista anterior.', 'El recuento coincide con el de la semana pasada.', 'Nadie ha preguntado por ello desde primavera.', 'La etiqueta está gastada pero se lee.', 'Véase la tabla del otro edificio.'],
    rules: ['Al cliente {n} no se le escribe nunca antes de mediodía.', 'Los precios del grupo {n} no se dicen por teléfono.', 'La taquilla {n} solo se abre tras preguntar al dueño.', 'Los vales no se suman al contrato {n}.'],
    go: 'Sigue con el siguiente.', request: 'Revisa todo el almacén de los cuatro edificios, estante por estante.', done: 'Revisado.',
  },
  ja: {
    filler: ['棚を確認したが不足はなかった。', 'この項目は古い一覧から写したものである。', '数は先週と一致している。', '春から問い合わせはない。', '札は傷んでいるが読める。', '別棟の表を参照のこと。'],
    rules: ['顧客{n}には正午より前に連絡してはならない。', '区分{n}の価格は電話で伝えないこと。', '保管庫{n}は所有者に尋ねてから開けること。', '契約{n}に割引券は併用できない。'],
    go: '次を続けてください。', request: '四棟の在庫を棚ごとにすべて確認してください。', done: '確認しました。',
  },
  ar: {
    filler: ['فُحص الرف ولم ينقص منه شيء.', 'نُقل هذا القيد من القائمة الأقدم.', 'العدد مطابق للأسبوع الماضي.', 'لم يسأل أحد عن ذلك منذ الربيع.', 'الملصق بالٍ لكنه مقروء.', 'انظر جدول المبنى الآخر.'],
    rules: ['لا تُرسل شيئاً إلى العميل {n} قبل الظهر أبداً.', 'أسعار المجموعة {n} لا تُذكر عبر الهاتف.', 'لا تُفتح الخزانة {n} إلا بعد سؤال المالك.', 'لا تُجمع القسائم مع العقد {n}.'],
    go: 'تابع مع التالي.', request: 'افحص مخزون المباني الأربعة كله، رفاً رفاً.', done: 'تم الفحص.',
  },
};
export const LANGUAGE_NAMES = Object.keys(LANGUAGES);

/** Whose words a rule is, and whether it stands alone or hidden in a long text. */
export const SOURCES = ['user', 'result', 'system'];
export const PLACES = ['alone', 'hidden'];

/** Shares of a run after which a rule is said; a rule of a result is read at the step behind it. */
const SAID_AT = [0, 0.12, 0.24, 0.36, 0.48, 0.6];
/** Sentences of a long text around a rule. */
const LONG = 60;
/** Steps between two messages of the user. */
const TURN = 12;

/**
 * `{ messages, rules }`: a run of `steps` calls, each rule `{ text, by, place, at }` with the message that says it. System messages stand among the others, as an app's
 * reminders do; the first one at the head of the list.
 */
export function conversation(language, { steps, sentences = 24 }) {
  const { filler, rules: forms, go, request, done } = LANGUAGES[language];
  const r = random(4_000 + LANGUAGE_NAMES.indexOf(language));
  // Each sentence has a number and an id of its own: text that only repeats would leave the rules as all there is to keep.
  const prose = (count) => Array.from({ length: count }, () => `${r.id('', 5)} ${r.int(900)}: ${r.pick(filler)}`);
  const messages = [];
  const rules = [];
  const numbers = r.shuffle(Array.from({ length: 900 }, (_, at) => 100 + at));
  const ruleOf = (by, place) => {
    const text = forms[rules.length % forms.length].replace('{n}', String(numbers[rules.length]));
    rules.push({ text, by, place, at: messages.length });
    return place === 'alone' ? text : [...prose(LONG / 2), text, ...prose(LONG / 2)].join(' ');
  };
  const call = (at, name, output) => {
    const toolCallId = `call_${language}_${at}_${messages.length}`;
    messages.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: name, input: { id: r.id('', 6) } }] });
    // The rule is said by the result.
    const value = output();
    messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: name, output: { type: 'text', value } }] });
  };
  const user = (text) => messages.push({ role: 'user', content: [{ type: 'text', text }] });
  const due = SAID_AT.map((share, index) => ({ step: Math.round(share * steps), place: PLACES[index % PLACES.length] }));
  messages.push({ role: 'system', content: ruleOf('system', 'alone') });
  user(`${request} ${ruleOf('user', 'alone')}`);
  for (let at = 0; at < steps; at += 1) {
    const said = due.find(({ step }) => step === at);
    if (at > 0 && at % TURN === 0) {
      messages.push({ role: 'assistant', content: [{ type: 'text', text: done }] });
      user(go);
    }
    if (said !== undefined) {
      if (at > 0) {
        if (messages.at(-1).role === 'tool') messages.push({ role: 'assistant', content: [{ type: 'text', text: done }] });
        messages.push({ role: 'system', content: ruleOf('system', said.place) });
        user(ruleOf('user', said.place));
      }
      call(at, 'readPolicy', () => ruleOf('result', said.place));
    }
    call(at, 'readShelf', () => prose(sentences).join(' '));
  }
  messages.push({ role: 'assistant', content: [{ type: 'text', text: done }] });
  user(go);
  return { messages, rules };
}
