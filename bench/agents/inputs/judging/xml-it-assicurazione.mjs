// What it is: the claims desk of an Italian insurer whose core system is a SOAP service: policies, claims, reports of loss adjusters as XML with CDATA, lists as one long line. The agent tells
// what it finds in part, and a limit is corrected.
import { session, random } from '../../session.mjs';

const r = random(33190);
const nome = () => r.pick(['Bianchi', 'Ferri', 'Colombo', 'Greco', 'Marini', 'Villa', 'Rinaldi', 'Serra']);
const citta = () => r.pick(['Bergamo', 'Lecce', 'Ravenna', 'Cuneo', 'Trapani', 'Udine', 'Pisa']);
const frase = () => r.pick(['Il sopralluogo si è svolto alla presenza delle parti.', 'Le fotografie sono allegate in formato ridotto.', 'Non si rilevano altre circostanze utili alla definizione.', 'La documentazione è stata acquisita agli atti.', 'L’assicurato ha collaborato in modo regolare.', 'Si rimanda alla scheda tecnica per il dettaglio delle superfici.', 'Il fabbricato risulta in normale stato di manutenzione.']);
const testo = (n) => Array.from({ length: n }, frase).join(' ');
const righe = (fields, indent) => Object.entries(fields).map(([name, value]) => `${' '.repeat(indent)}<ns2:${name}>${value}</ns2:${name}>`).join('\n');
const busta = (op, inner) => `<?xml version='1.0' encoding='UTF-8'?>\n<S:Envelope xmlns:S="http://www.w3.org/2003/05/soap-envelope" xmlns:ns2="http://ws.polizze.example/v2">\n <S:Header><ns2:correlazione>${r.id('', 20)}</ns2:correlazione></S:Header>\n <S:Body>\n  <ns2:${op}Response>\n${inner}\n  </ns2:${op}Response>\n </S:Body>\n</S:Envelope>`;
const garanzia = (codice, più = {}) => `   <ns2:garanzia codice="${codice}">\n${righe({ descrizione: r.pick(['Acqua condotta', 'Eventi atmosferici', 'Cristalli', 'Furto', 'Fenomeno elettrico', 'RC famiglia']), massimale: `${(5 + r.int(90)) * 1000}.00`, franchigia: `${50 * (1 + r.int(12))}.00`, scoperto: `${5 * r.int(5)}`, carenza: r.int(60), ...più }, 4)}\n   </ns2:garanzia>`;
const polizza = (numero, testata, proprie, n = 26) => busta('leggiPolizza', `   <ns2:polizza numero="${numero}">\n${righe(testata, 4)}\n   </ns2:polizza>\n${[...Array.from({ length: n }, () => garanzia(r.id('G', 4))), ...proprie].join('\n')}\n${Array.from({ length: 14 }, (_, at) => `   <ns2:quietanza n="${at + 1}" scadenza="20${10 + at}-09-01" importo="${200 + r.int(90)}.00" stato="pagata" canale="${r.pick(['RID', 'agenzia', 'bonifico'])}"/>`).join('\n')}`);
const perizia = (numero, dati, frasi) => busta('leggiPerizia', `   <ns2:perizia id="${numero}">\n${righe(dati, 4)}\n    <ns2:relazione><![CDATA[${testo(9)} ${frasi.join(` ${testo(8)} `)} ${testo(10)}]]></ns2:relazione>\n${Array.from({ length: 22 }, (_, at) => `    <ns2:voce riga="${at + 1}" misura="${r.pick(['mq', 'ml', 'cad'])}" quantita="${1 + r.int(40)}" prezzo="${5 + r.int(90)}.${10 + r.int(89)}">${r.pick(['Rimozione intonaco', 'Tinteggiatura', 'Nolo deumidificatore', 'Smaltimento', 'Ripristino pavimento'])}</ns2:voce>`).join('\n')}\n   </ns2:perizia>`);
const elenco = (tag, n, riga, proprie = {}) => busta(`elenca${tag}`, Array.from({ length: n }, (_, at) => `<ns2:${tag}${Object.entries(proprie[at] ?? riga(at)).map(([name, value]) => ` ${name}="${value}"`).join('')}/>`).join(''));
const sinistro = () => ({ numero: `S-${100000 + r.int(800000)}`, polizza: r.id('P-', 6), contraente: nome(), data: `2026-0${1 + r.int(8)}-${10 + r.int(18)}`, stato: r.pick(['aperto', 'chiuso', 'riaperto']), riserva: `${r.int(9000)}.00`, liquidatore: r.id('L', 3), citta: citta() });
const artigiano = () => ({ codice: r.id('A-', 4), ditta: `${r.pick(['Edil', 'Idro', 'Termo', 'Color'])}${nome()}`, zona: citta(), voto: `${2 + r.int(3)}.${r.int(9)}`, prima_data: `2026-10-${10 + r.int(18)}`, tel: `0${30 + r.int(60)}-${100000 + r.int(800000)}`, convenzione: r.pick(['si', 'no']) });
const ws = { text: true };

export default session({ id: 'xml-it-assicurazione', kind: 'support', language: 'it', style: 'tells', input: 'xml' }, (s) => {
  s.system('Sei l’assistente dei liquidatori di Alpe Assicurazioni. Lavori con i servizi SOAP di polizze, sinistri e perizie. Rispondi in italiano, in breve. Le liquidazioni sopra il limite di firma vanno al capo ufficio.');
  s.user('Buongiorno, sono Fabbri. Ho il sinistro S-740218 da chiudere entro oggi e due telefonate arretrate. Il mio limite di firma è 4.000 euro. Non scrivere mai al contraente senza farmi leggere il testo.');
  s.fact('limite', { words: ['limite di firma è 4.000 euro'], by: 'user' });
  s.fact('testo', { words: ['Non scrivere mai al contraente senza farmi leggere il testo'], by: 'user' });
  s.call('elencaSinistri', { liquidatore: 'fabbri' }, elenco('sinistro', 40, sinistro, { 12: { numero: 'S-740218', polizza: 'P-55K902', contraente: 'Moretti Ada', data: '2026-08-30', stato: 'aperto', riserva: '5200.00', liquidatore: 'LFB', citta: 'Bergamo' }, 27: { numero: 'S-741003', polizza: 'P-71M118', contraente: 'Condominio Aurora', data: '2026-09-04', stato: 'riaperto', riserva: '18400.00', liquidatore: 'LFB', citta: 'Lecce' } }), ws);
  s.fact('riserva', { words: ['5200.00'], beside: ['S-740218'], columns: ['riserva'], by: 'result' });
  s.fact('polizza', { words: ['P-55K902'], beside: ['S-740218'], by: 'result' });
  s.fact('aurora', { words: ['P-71M118', '18400.00'], beside: ['Condominio Aurora'], columns: ['riserva'], by: 'result' });
  s.says('S-740218 è di Ada Moretti, Bergamo, riserva 5.200. Apro polizza e perizia.');
  const [pol, per] = s.calls([
    ['leggiPolizza', { numero: 'P-55K902' }, polizza('P-55K902', { contraente: 'Moretti Ada', ubicazione: 'via dei Mille 14, Bergamo', decorrenza: '2021-09-01', vincolo: 'Banca Orobica', iban: 'IT60X0542811101000000123456' }, [garanzia('AC-02', { descrizione: 'Acqua condotta e ricerca guasto', massimale: '12000.00', franchigia: '275.00', scoperto: '10', carenza: 0 })]), ws],
    ['leggiPerizia', { sinistro: 'S-740218' }, perizia('PZ-8831', { perito: 'geom. Tonoli', data: '2026-09-09', dannoLordo: '4380.00', degrado: '12', iva: 'inclusa' }, ['La rottura interessa la colonna di scarico comune e non la diramazione privata.', 'Si segnala che il parquet era già macchiato prima del sinistro, come da foto 7.']), ws],
  ]);
  s.fact('franchigia', { words: ['275.00', '12000.00'], beside: ['AC-02'], columns: ['franchigia', 'massimale'], by: 'result' }, pol);
  s.fact('vincolo', { words: ['Banca Orobica'], beside: ['vincolo'], by: 'result' }, pol);
  s.fact('danno', { words: ['4380.00'], beside: ['dannoLordo'], by: 'result' }, per);
  s.fact('colonna', { words: ['colonna di scarico comune'], by: 'result' }, per);
  s.fact('parquet', { words: ['parquet era già macchiato'], beside: ['foto 7'], by: 'result' }, per);
  s.says('La perizia PZ-8831 stima un danno lordo di 4.380 euro, degrado 12 %. Attenzione: la rottura è nella colonna comune, quindi c’è rivalsa sul condominio.');
  s.fact('rivalsa', { words: ['rivalsa sul condominio'], by: 'model' });
  s.user('Il parquet lo togliamo, 600 euro. E sì, apri la rivalsa. Chi è l’assicuratore del condominio?');
  s.fact('menoparquet', { words: ['Il parquet lo togliamo, 600 euro'], by: 'user' });
  s.call('cercaCopertura', { indirizzo: 'via dei Mille 14' }, elenco('copertura', 42, () => ({ compagnia: r.pick(['Vela', 'Tirrena', 'Nord Est', 'Mutua Alta']), polizza: r.id('X-', 6), via: `via ${nome()} ${1 + r.int(90)}`, dal: `20${10 + r.int(14)}-01-01`, al: `2026-${10 + r.int(3)}-30`, mail: `${r.id('', 5)}@c.example` }), { 31: { compagnia: 'Tirrena', polizza: 'X-COND8840', via: 'via dei Mille 14', dal: '2019-01-01', al: '2026-12-31', mail: 'rivalse@tirrena.example' } }), ws);
  s.fact('tirrena', { words: ['X-COND8840', 'rivalse@tirrena.example'], beside: ['via dei Mille 14'], by: 'result' });
  s.call('apriRivalsa', { sinistro: 'S-740218', verso: 'Tirrena' }, busta('apriRivalsa', `   <ns2:rivalsa id="RV-2207" stato="aperta" termine="2027-08-30"/>`), { ...ws, approval: true });
  s.fact('rv', { words: ['RV-2207', '2027-08-30'], columns: ['termine'], by: 'result' });
  s.says('Rivalsa RV-2207 aperta verso Tirrena.');
  s.user('Calcola la liquidazione.');
  s.call('calcola', { sinistro: 'S-740218', deduzione: 600 }, null, { error: '<S:Fault xmlns:S="http://www.w3.org/2003/05/soap-envelope"><S:Code>CALC-17</S:Code><S:Reason>manca il codice IVA del riparatore</S:Reason></S:Fault>' });
  s.fact('iva', { words: ['manca il codice IVA del riparatore'], beside: ['CALC-17'], by: 'result' });
  s.says('Il calcolo vuole il codice IVA del riparatore. Chi ha fatto i lavori?');
  s.user('Cerca tra le ditte convenzionate di Bergamo. Niente EdilGreco, con loro siamo in causa');
  s.fact('edilgreco', { words: ['Niente EdilGreco'], by: 'user' });
  s.call('elencaArtigiani', { zona: 'Bergamo' }, elenco('artigiano', 46, artigiano, { 8: { codice: 'A-GRC1', ditta: 'EdilGreco', zona: 'Bergamo', voto: '4.9', prima_data: '2026-10-02', tel: '035-220114', convenzione: 'si' }, 33: { codice: 'A-SRR7', ditta: 'IdroSerra', zona: 'Bergamo', voto: '4.6', prima_data: '2026-10-06', tel: '035-718830', iva: '03381190164', convenzione: 'si' } }), ws);
  s.fact('serra', { words: ['03381190164', '035-718830', '2026-10-06'], beside: ['IdroSerra'], columns: ['iva', 'tel', 'prima_data'], by: 'result' });
  s.says('IdroSerra è convenzionata e libera dal 6 ottobre.');
  s.user('Va bene IdroSerra. Ricalcola');
  s.call('calcola', { sinistro: 'S-740218', deduzione: 600, riparatore: 'A-SRR7' }, busta('calcola', `   <ns2:conteggio id="CT-5518">\n${righe({ lordo: '3780.00', degrado: '453.60', scoperto: '332.64', franchigia: '275.00', netto: '2718.76' }, 4)}\n   </ns2:conteggio>`), ws);
  s.fact('netto', { words: ['2718.76'], beside: ['CT-5518'], columns: ['netto'], by: 'result' });
  s.done('iva');
  s.says('Netto 2.718,76 euro (CT-5518), sotto il tuo limite. Con il vincolo però paghiamo alla banca, salvo svincolo.');
  s.user('Lo svincolo l’ha mandato ieri, guarda in archivio');
  s.call('elencaDocumenti', { sinistro: 'S-740218' }, elenco('documento', 44, () => ({ id: r.id('D', 7), tipo: r.pick(['foto', 'fattura', 'mail', 'verbale']), data: `2026-09-${10 + r.int(18)}`, pagine: r.int(9), ocr: r.pick(['ok', 'parziale']), nota: r.pick(['copia', 'originale', '']) }), { 20: { id: 'DSV7741', tipo: 'svincolo', data: '2026-09-28', pagine: 1, ocr: 'ok', nota: 'valido solo fino a 3.000 euro' } }), ws);
  s.fact('svincolo', { words: ['valido solo fino a 3.000 euro'], beside: ['DSV7741'], by: 'result' });
  s.says('C’è (DSV7741), valido fino a 3.000 euro: basta.');
  s.user('Liquida alla signora');
  s.call('liquida', { conteggio: 'CT-5518', beneficiario: 'Moretti Ada' }, busta('liquida', '   <ns2:mandato id="MD-90155" importo="2718.76" valuta="2026-10-02" stato="autorizzato"/>'), { ...ws, approval: true });
  s.fact('mandato', { words: ['MD-90155', '2026-10-02'], columns: ['valuta'], by: 'result' });
  s.done('franchigia');
  s.done('danno');
  s.says('Mandato MD-90155, valuta 2 ottobre. Preparo la lettera?');
  s.user('Sì, ma falla leggere a me. Intanto il Condominio Aurora: perché è stato riaperto?');
  const [pa, ra] = s.calls([
    ['leggiPolizza', { numero: 'P-71M118' }, polizza('P-71M118', { contraente: 'Condominio Aurora', ubicazione: 'viale Aldo Moro 3, Lecce', decorrenza: '2018-03-01', coassicurazione: 'Vela 40 %' }, [garanzia('EA-11', { descrizione: 'Eventi atmosferici', massimale: '90000.00', franchigia: '1500.00', scoperto: '15', limite_grandine: '20000.00' })], 30), ws],
    ['leggiPerizia', { sinistro: 'S-741003' }, perizia('PZ-8902', { perito: 'ing. De Santis', data: '2026-09-19', dannoLordo: '22640.00', degrado: '0', iva: 'esclusa' }, ['I pannelli solari non sono indicati in polizza e vanno esclusi per 6.100 euro.', 'Il terrazzo è di uso esclusivo dell’interno 9, che risponde per un terzo.']), ws],
  ]);
  s.fact('grandine', { words: ['20000.00', '1500.00'], beside: ['EA-11'], columns: ['limite_grandine', 'franchigia'], by: 'result' }, pa);
  s.fact('coass', { words: ['Vela 40 %'], beside: ['coassicurazione'], by: 'result' }, pa);
  s.fact('pannelli', { words: ['pannelli solari', '6.100 euro'], by: 'result' }, ra);
  s.fact('interno9', { words: ['interno 9', 'un terzo'], by: 'result' }, ra);
  s.fact('lordoAurora', { words: ['22640.00'], beside: ['dannoLordo'], by: 'result' }, ra);
  s.call('leggiDiario', { sinistro: 'S-741003' }, elenco('nota', 48, () => ({ t: `2026-09-${10 + r.int(18)}T1${r.int(9)}:00`, autore: r.id('u', 3), testo: frase() }), { 30: { t: '2026-09-24T15:10', autore: 'cf', testo: 'Riaperto: l’amministratore dott.ssa Calò contesta la riduzione per il lucernario' } }), ws);
  s.fact('calò', { words: ['contesta la riduzione per il lucernario'], beside: ['Calò'], by: 'result' });
  s.says('L’ha riaperto l’amministratrice Calò per il lucernario. Il lordo va depurato dei pannelli e c’è la coassicurazione Vela.');
  s.user('Il lucernario glielo riconosciamo, 1.900. Calcola e manda al capo, supera il mio limite. Anzi: dal primo ottobre il mio limite è 6.000.');
  s.supersede('limite', { words: ['dal primo ottobre il mio limite è 6.000'], by: 'user', id: 'limite2' });
  s.fact('lucernario', { words: ['Il lucernario glielo riconosciamo, 1.900'], by: 'user' });
  s.call('calcola', { sinistro: 'S-741003' }, busta('calcola', `   <ns2:conteggio id="CT-5560">\n${righe({ lordo: '18440.00', scoperto: '2766.00', franchigia: '1500.00', netto: '14174.00', quotaNostra: '8504.40' }, 4)}\n   </ns2:conteggio>`), ws);
  s.fact('quota', { words: ['8504.40'], beside: ['CT-5560'], columns: ['quotaNostra'], by: 'result' });
  s.says('Netto 14.174, quota nostra 8.504,40 (CT-5560): va comunque al capo ufficio.');
  s.call('inviaVisto', { conteggio: 'CT-5560' }, busta('inviaVisto', '   <ns2:visto id="VS-1180" a="dott. Prandi" scadenza="2026-10-09"/>'), { ...ws, approval: true });
  s.fact('visto', { words: ['VS-1180', '2026-10-09'], by: 'result' });
  s.says('Inviato al visto, VS-1180.');
  s.user('Seconda telefonata: il signor Villa di Cuneo, cristalli. Guarda se è coperto');
  s.call('leggiPolizza', { numero: 'P-20V447' }, polizza('P-20V447', { contraente: 'Villa Renato', ubicazione: 'Cuneo', decorrenza: '2026-08-20' }, [garanzia('CR-03', { descrizione: 'Cristalli', massimale: '1500.00', franchigia: '100.00', scoperto: '0', carenza: 30 })], 24), ws);
  s.fact('carenza', { words: ['30', '1500.00'], beside: ['CR-03'], columns: ['carenza', 'massimale'], by: 'result' });
  s.says('Coperto, ma con carenza: devo sapere la data della rottura.');
  s.user('Il 12 settembre. Quindi no, è in carenza. Scrivi il diniego ma tienilo in bozza');
  s.fact('bozza', { words: ['Scrivi il diniego ma tienilo in bozza'], by: 'user' });
  s.call('creaBozza', { polizza: 'P-20V447', tipo: 'diniego' }, busta('creaBozza', '   <ns2:bozza id="BZ-3317" stato="bozza" protocollo="no"/>'), ws);
  s.fact('bz', { words: ['BZ-3317'], beside: ['bozza'], by: 'result' });
  s.says('Bozza BZ-3317 pronta.');
  s.call('elencaScadenze', { liquidatore: 'fabbri' }, elenco('scadenza', 50, () => ({ s: `S-${100000 + r.int(800000)}`, tipo: r.pick(['visto', 'perizia', 'IVASS']), il: `2026-10-${10 + r.int(18)}`, priorita: r.int(4) })), ws);
  s.says('Altre scadenze per oggi non ce ne sono.');
  s.user('Allora fammi il riepilogo di Moretti, Aurora e Villa con importi, numeri e cosa manca.');
  s.says('Eccolo.');
});
