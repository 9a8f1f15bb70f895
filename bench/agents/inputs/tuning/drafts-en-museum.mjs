// What it is: a writer's assistant for a small museum. It reads sources and writes drafts, whole texts and reports in the chat: nothing of these exists anywhere else. Versions are rejected, parts of
// rejected ones are wanted back, facts in a report are used later.
import { session, random } from '../../session.mjs';

const r = random(77120);
const filler = (n) => Array.from({ length: n }, () => r.pick([
  'Visitors of all ages come through the yard before they reach the first room.', 'The light in the long gallery changes with the tide, and so does the mood of the place.', 'Much of what we know was told by the families themselves, over tea, across many winters.', 'The rope, the tar and the canvas were all made within a mile of the quay.', 'None of this would have been possible without those who kept the drawers closed and the ledgers dry.', 'In the next room the story turns from the sea to the people who waited for it.', 'A guide is on hand for questions, and the benches are there to be used.', 'The photographs are small, and worth the trouble of bending down.',
])).join(' ');
const archive = (id, title, key, n = 11) => ({ id, title, pages: Array.from({ length: n }, (_, page) => ({ page: page + 1, text: page === Math.floor(n / 2) ? `${filler(7)} ${key} ${filler(7)}` : filler(15) })), scan: r.id('sc', 9), rights: r.pick(['free', 'on request']) });
const hits = (own) => ({ total: 100 + r.int(400), items: r.shuffle([...own, ...Array.from({ length: 26 }, () => ({ id: r.id('AR-', 4), title: r.pick(['Quay accounts', 'Letters', 'Photographs', 'Ship lists', 'Minutes']), year: 1840 + r.int(120), shelf: r.id('', 4), note: filler(1) }))]) });
const text = (title, paragraphs) => `**${title}**\n\n${paragraphs.map((paragraph) => `${filler(5)} ${paragraph} ${filler(6)}`).join('\n\n')}`;

export default session({ id: 'drafts-en-museum', kind: 'writing', language: 'en', style: 'tells', input: 'drafts' }, (s) => {
  s.system('You write for the Pilot House Museum. You read its archive with tools and write texts in the chat; there is no editor and no file, what you write exists only here. British spelling.');
  s.user('Hello, Ines here. We need texts for the new exhibition on the pilots: a wall text for each of four rooms, a leaflet and a press release. House rules: no exclamation marks, wall texts under 180 words, never call them "heroes".');
  s.fact('marks', { words: ['no exclamation marks'], by: 'user' });
  s.fact('length', { words: ['wall texts under 180 words'], by: 'user' });
  s.fact('heroes', { words: ['never call them "heroes"'], by: 'user' });
  s.call('searchArchive', { query: 'pilots 1880' }, hits([{ id: 'AR-2207', title: 'Log of the cutter Maud', year: 1884, shelf: 'P3', note: 'complete' }, { id: 'AR-3310', title: 'Letters of Annie Carne', year: 1887, shelf: 'L9', note: 'fragile' }]));
  const [maud, annie] = s.calls([
    ['readArchive', { id: 'AR-2207' }, archive('AR-2207', 'Log of the cutter Maud', 'On 9 February 1884 the Maud put four men aboard the barque Helvetia in a north-easterly gale and lost her boat.')],
    ['readArchive', { id: 'AR-3310' }, archive('AR-3310', 'Letters of Annie Carne', '"He knows the bar by the sound of it," she wrote on 3 March 1887, "and I know by the sound of the gate whether he had to use it."')],
  ]);
  s.fact('helvetia', { words: ['9 February 1884', 'Helvetia'], by: 'result' }, maud);
  s.fact('gate', { words: ['by the sound of the gate'], beside: ['3 March 1887'], by: 'result' }, annie);
  s.says(text('Room 1, first draft', ['A pilot did not steer for glory; he steered for half a crown a foot of draught.', 'Forty-one licences were granted on this coast, and six of them to one family.']));
  s.fact('crown', { words: ['half a crown a foot of draught'], by: 'model' });
  s.fact('licences', { words: ['Forty-one licences'], beside: ['six of them to one family'], by: 'model' });
  s.user('Too dry. Start with the sound, Annie’s gate. But keep the sentence about the half crown somewhere, I may want it for the leaflet.');
  s.fact('keep', { words: ['keep the sentence about the half crown somewhere'], by: 'user' });
  s.says(text('Room 1, second draft', ['Annie Carne could tell by the gate how the night had gone.', 'Listen at the third window: the bar still speaks, two miles out, on the ebb.']));
  s.fact('window', { words: ['Listen at the third window'], by: 'model' });
  s.user('Lovely, that is room 1. Room 2 is about the boats.');
  s.call('searchArchive', { query: 'pilot cutters builder' }, hits([{ id: 'AR-4102', title: 'Yard book of J. Trethewy', year: 1879, shelf: 'Y1', note: 'two volumes' }]));
  s.call('readArchive', { id: 'AR-4102' }, archive('AR-4102', 'Yard book of J. Trethewy', 'Cutter no. 17: elm keel 38 feet, 11 tons of iron ballast, delivered for 412 pounds with one suit of sails.', 13));
  s.fact('keel', { words: ['38 feet', '412 pounds'], beside: ['no. 17'], by: 'result' });
  s.says(text('Room 2, version A: the yard', ['Trethewy built by eye, and charged by the foot.', 'What you are standing on is the length of her keel, set out in brass.']));
  s.fact('brass', { words: ['the length of her keel, set out in brass'], by: 'model' });
  s.says(text('Room 2, version B: the launch', ['They launched at four in the morning so that nobody owed anybody a drink.', 'Eleven tons of iron lay under the boards, and a child’s shoe for luck.']));
  s.fact('drink', { words: ['so that nobody owed anybody a drink'], by: 'model' });
  s.fact('shoe', { words: ['a child’s shoe for luck'], by: 'model' });
  s.user('Version A for the wall. B goes to the leaflet, whole, so don’t lose it. Now room 3, the women. No Annie there, she has room 1.');
  s.fact('vb', { words: ['B goes to the leaflet'], by: 'user' });
  s.fact('noannie', { words: ['No Annie there'], by: 'user' });
  s.call('searchArchive', { query: 'pilots wives net loft' }, hits([{ id: 'AR-5519', title: 'Accounts of the net loft', year: 1891, shelf: 'N4', note: 'partial' }]));
  s.call('readArchive', { id: 'AR-5519' }, archive('AR-5519', 'Accounts of the net loft', 'In the winter of 1891 the loft paid nineteen women; Jenifer Pascoe kept the book and signed for the harbour dues as well.', 13));
  s.fact('pascoe', { words: ['nineteen women'], beside: ['Jenifer Pascoe'], by: 'result' });
  s.says(text('Room 3, draft', ['The harbour was run by a woman who could not be harbour master.', 'Nineteen names are on the beam above you; find the one with the crooked J.']));
  s.fact('crooked', { words: ['find the one with the crooked J'], by: 'model' });
  s.user('Very good, leave it. Room 4, the end of the pilots, 1912 to 1938.');
  s.call('searchArchive', { query: 'last pilot 1938' }, hits([{ id: 'AR-6604', title: 'Board minutes', year: 1938, shelf: 'B2', note: 'typed' }]));
  s.call('readArchive', { id: 'AR-6604' }, archive('AR-6604', 'Board minutes', 'Resolved on 30 June 1938: the last licence, that of Wm. Hocking, not to be renewed; pension 26 shillings a week.', 13));
  s.fact('hocking', { words: ['30 June 1938', '26 shillings'], beside: ['Hocking'], by: 'result' });
  s.says(text('Room 4, first draft', ['The engine made the pilot late before it made him needless.', 'Hocking handed in his licence and kept the key to the lookout.']));
  s.fact('late', { words: ['The engine made the pilot late before it made him needless'], by: 'model' });
  s.user('The first sentence is wonderful, the second is wrong: he never had the key, the museum bought it in 1999. Redo it, but with that first sentence.');
  s.fact('key', { words: ['he never had the key', 'bought it in 1999'], by: 'user' });
  s.says(text('Room 4, second draft', ['The engine made the pilot late before it made him needless.', 'After Hocking the lookout stood empty for eleven years, with the kettle on its hook.']));
  s.fact('kettle', { words: ['with the kettle on its hook'], by: 'model' });
  s.user('Perfect. Before the leaflet, write me a report for the trustees: what is lent, what it costs, what is missing. Look at the loans.');
  s.call('listLoans', { exhibition: 'pilots' }, { loans: Array.from({ length: 48 }, (_, at) => (at === 19 ? { object: 'Barometer of the Maud', lender: 'Falmouth Society', insured: '£4,200', until: '2027-03-01', state: 'unsigned' } : at === 33 ? { object: 'Pascoe ledger', lender: 'County Record Office', insured: '£900', until: '2026-11-15', state: 'signed' } : { object: r.pick(['Sextant', 'Oilskin', 'Lamp', 'Chart']), lender: r.pick(['Private', 'City Museum', 'Trust']), insured: `£${100 * r.int(30)}`, until: `2027-0${1 + r.int(9)}-01`, state: 'signed' })) });
  s.fact('barometer', { words: ['£4,200', 'unsigned'], beside: ['Barometer of the Maud'], by: 'result' });
  s.fact('ledger', { words: ['2026-11-15'], beside: ['Pascoe ledger'], by: 'result' });
  s.says(text('Report for the trustees', ['Total insurance comes to £31,450, of which the barometer alone is a seventh.', 'Three things are missing: a signature from Falmouth, a dehumidifier for room 3, and a second invigilator on Sundays.', 'I would open on 14 November rather than 7 November, because the ledger leaves us on the 15th and can be shown for one day.']));
  s.fact('insurance', { words: ['£31,450'], beside: ['insurance'], by: 'model' });
  s.fact('missing', { words: ['a dehumidifier for room 3', 'a second invigilator on Sundays'], by: 'model' });
  s.fact('opening', { words: ['14 November rather than 7 November'], by: 'model' });
  s.user('The trustees say 7 November after all, and they want the ledger extended. Now the leaflet. Remember what goes in.');
  s.supersede('opening', { words: ['7 November after all'], by: 'user', id: 'opening2' });
  s.call('requestLoan', { object: 'Pascoe ledger', until: '2027-01-31' }, { request: 'LN-881', state: 'sent', answerBy: '2026-10-20' }, { approval: true });
  s.fact('ln', { words: ['LN-881', '2026-10-20'], by: 'result' });
  s.says(text('Leaflet, outline', ['Panel one: the half crown. Panel two: the launch, in full. Panel three: a map of the bar with the four marks, Carn, Mill, Spire and White Gate.', 'The fold falls between two and three, so nothing may cross it.']));
  s.fact('panels', { words: ['Carn, Mill, Spire and White Gate'], by: 'model' });
  s.fact('fold', { words: ['The fold falls between two and three'], by: 'model' });
  s.user('Good outline. A quote from a visitor would be nice. Search the guest book.');
  s.call('readGuestBook', { year: 2025 }, { entries: Array.from({ length: 56 }, (_, at) => (at === 37 ? { on: '2025-08-12', who: 'Tomasz, 9', says: 'I could hear the sea in the wall.', consent: 'yes' } : { on: `2025-0${1 + r.int(9)}-1${r.int(9)}`, who: r.pick(['Ann', 'Piet', 'Family Roe', 'M. T.']), says: filler(1), consent: r.pick(['yes', 'no']) })) });
  s.fact('quote', { words: ['I could hear the sea in the wall'], beside: ['Tomasz'], by: 'result' });
  s.says('I would take Tomasz, who is nine, and who heard the sea in the wall. Consent is given.');
  s.user('Yes! First name only, no age. Now the press release: lead with Pascoe, not with the gale.');
  s.fact('noage', { words: ['First name only, no age'], by: 'user' });
  s.fact('lead', { words: ['lead with Pascoe, not with the gale'], by: 'user' });
  s.says(text('Press release, draft', ['Jenifer Pascoe ran a harbour for thirty years without the title; from November she has a room.', 'Press view at 10.30 on the Thursday before, with tea, at the back door because the front is being painted.']));
  s.fact('press', { words: ['10.30 on the Thursday before', 'at the back door'], by: 'model' });
  s.user('Strong. Last thing: put together the final leaflet with everything we agreed.');
  s.call('measure', { format: 'A5, three panels' }, { panels: Array.from({ length: 3 }, (_, at) => ({ panel: at + 1, words: [95, 210, 120][at], margin: '8 mm' })), printer: 'Kestrel Press', deadline: '2026-10-12', proof: filler(12) });
  s.fact('printer', { words: ['Kestrel Press', '2026-10-12'], by: 'result' });
  s.says('Here it is.');
});
