// Looks for rules in what is sent: does each stand there word for word, and as whose words. Decides what counts; plays nothing (run.mjs).

import { isUserSection } from '../agents/ask.mjs';
import { sectionAt } from '../agents/near.mjs';
import { partsOf, textOfPart } from '../agents/texts.mjs';

/**
 * As whose words a text of a message is read: by the role of an app's own message; in a text of the policy, which comes as a message of the user, by the section that it
 * stands in.
 */
function speakerOf({ role, isOwn, text, at }) {
  if (!isOwn || role !== 'user') return role === 'tool' ? 'result' : role === 'assistant' ? 'model' : role;
  const title = sectionAt(text, at);
  if (title === '') return 'nobody';
  if (isUserSection(title)) return 'user';
  if (/summary/i.test(title)) return 'nobody';
  return /\bsystem\b/i.test(title) ? 'system' : /told|model|assistant/i.test(title) ? 'model' : 'result';
}

/** Line breaks and runs of blanks do not make other words. */
const plain = (text) => text.replace(/\s/gu, ' ');

/** For each rule the speakers as whose words it stands in `sent`, none where it is lost. */
export function standing(rules, sent, given) {
  const known = new Set(given.flatMap((message) => partsOf(message).map(textOfPart)));
  const texts = sent.flatMap((message) => partsOf(message).map((part) => ({ role: message.role, text: textOfPart(part), isOwn: !known.has(textOfPart(part)) })));
  return rules.map((rule) => {
    const speakers = new Set();
    for (const { role, text, isOwn } of texts) {
      const flat = plain(text);
      for (let at = flat.indexOf(rule.text); at >= 0; at = flat.indexOf(rule.text, at + 1)) speakers.add(speakerOf({ role, isOwn, text, at }));
    }
    return { rule, speakers: [...speakers].sort() };
  });
}

/** `kept` as its speaker's words; `unsaid` where it stands in a summary or without a name; `misattributed` as somebody else's alone; `lost`. */
export function verdictOf({ rule, speakers }) {
  if (speakers.includes(rule.by)) return 'kept';
  if (speakers.length === 0) return 'lost';
  return speakers.every((speaker) => speaker === 'nobody') ? 'unsaid' : 'misattributed';
}
