// What it is: an agent that reads HTML of public tenders, in French, for a small firm of joiners: notices with nested tables, long menus, scripts, a page whose table is only divs. It tells what it
// decides, not what it reads.
import { session, random } from '../../session.mjs';

const r = random(90021);
const phrase = () => r.pick(['Le présent avis est publié à titre d’information.', 'Les candidats sont invités à consulter régulièrement la plateforme.', 'Toute question est posée par écrit.', 'Le pouvoir adjudicateur se réserve le droit de ne pas donner suite.', 'La visite du site est recommandée.', 'Les documents sont remis sous format électronique.', 'Aucune variante n’est exigée.']);
const prose = (n) => Array.from({ length: n }, phrase).join(' ');
const entete = (titre) => `<!doctype html>\n<html lang="fr"><head><title>${titre} | Marchés en ligne</title><link rel="preload" href="/a/${r.id('', 10)}.woff2" as="font"><script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage","identifier":"${r.id('', 12)}"}</script><script>var _paq=window._paq||[];_paq.push(['setSiteId','${r.int(900)}']);</script></head>\n<body>\n<div class="tarteaucitron"><p>Ce site utilise des cookies.</p><button>Tout accepter</button></div>\n<ul class="menu">${Array.from({ length: 22 }, () => `<li id="m${r.int(9999)}"><a href="/${r.id('', 6)}.html">${r.pick(['Avis', 'Entreprises', 'Acheteurs', 'Aide', 'Archives', 'Alertes', 'Guides'])}</a></li>`).join('')}</ul>`;
const pied = () => `<div class="footer">${Array.from({ length: 8 }, () => `<a href="/${r.id('', 5)}">${r.pick(['Mentions légales', 'Plan du site', 'Contact', 'RGPD'])}</a>`).join(' | ')}</div><script src="/a/${r.id('', 12)}.js"></script></body></html>`;
const bloc = (n) => Array.from({ length: n }, (_, at) => `<div class="bloc b${at}"><h4>${r.pick(['Procédure', 'Informations', 'Conditions', 'Recours', 'Objet'])}</h4><p>${prose(4)}</p></div>`).join('\n');
const page = (titre, corps, n = 7) => `${entete(titre)}\n<h1>${titre}</h1>\n${bloc(n)}\n${corps}\n${bloc(4)}\n${pied()}`;
const tableau = (noms, lignes) => `<table border="0"><tr>${noms.map((nom) => `<th>${nom}</th>`).join('')}</tr>\n${lignes.map((cellules) => `<tr>${cellules.map((cellule) => `<td>${cellule}</td>`).join('')}</tr>`).join('\n')}</table>`;
const divs = (noms, lignes) => `<div class="row row--head">${noms.map((nom) => `<div class="c">${nom}</div>`).join('')}</div>\n${lignes.map((cellules) => `<div class="row" data-k="${r.id('', 6)}">${cellules.map((cellule) => `<div class="c">${cellule}</div>`).join('')}</div>`).join('\n')}`;
const commune = () => `${r.pick(['Saint', 'Vieux', 'Haut'])}-${r.pick(['Amand', 'Loup', 'Marcel', 'Pierre', 'Cyr'])}-${r.pick(['sur-Cher', 'le-Bois', 'des-Prés'])}`;
const parmi = (n, ligne, propres) => Array.from({ length: n }, (_, at) => propres[at] ?? ligne(at));

export default session({ id: 'html-fr-marches', kind: 'research', language: 'fr', style: 'silent', input: 'html' }, (s) => {
  s.system('Tu aides une entreprise de menuiserie à répondre aux marchés publics. lirePage rend le HTML. Réponds en peu de mots ; ne recopie pas les pages.');
  s.user('Bonjour. Cherche des marchés de menuiserie bois, à 80 km de Bourges au plus. On est neuf, donc pas plus de 250 000 € par lot. Pas d’aluminium, jamais.');
  s.fact('rayon', { words: ['80 km de Bourges'], by: 'user' });
  s.fact('plafond', { words: ['pas plus de 250 000 € par lot'], by: 'user' });
  s.fact('alu', { words: ['Pas d’aluminium'], by: 'user' });
  s.call('lirePage', { url: 'https://marches.example/recherche?q=menuiserie+bois' }, page('Résultats', tableau(['Référence', 'Acheteur', 'Objet', 'Remise des offres', 'Distance'], parmi(48, () => [`26-${10000 + r.int(80000)}`, commune(), r.pick(['Voirie', 'Toiture', 'Chauffage', 'Peinture', 'Menuiserie aluminium']), `${10 + r.int(18)}/0${6 + r.int(3)}/2026`, `${r.int(190)} km`], { 9: ['26-44071', 'Vierzon', 'École Jaurès, menuiseries bois', '22/06/2026 12h00', '34 km'], 28: ['26-44518', 'Sancerre', 'Halle, charpente et menuiseries', '30/06/2026 17h00', '46 km'], 39: ['26-45002', 'Nevers', 'Préau, menuiseries bois', '19/06/2026 16h00', '69 km'] })), 4));
  s.fact('vierzon', { words: ['22/06/2026 12h00'], beside: ['26-44071'], columns: ['Remise des offres'], by: 'result' });
  s.fact('sancerre', { words: ['30/06/2026 17h00'], beside: ['26-44518'], columns: ['Remise des offres'], by: 'result' });
  s.says('Trois avis correspondent. Je les ouvre.');
  const [v, sa] = s.calls([
    ['lirePage', { url: 'https://marches.example/avis/26-44071' }, page('École Jaurès, Vierzon', `${tableau(['Lot', 'Intitulé', 'Estimation HT', 'Durée', 'Caution'], [['1', 'Gros œuvre', '410 000 €', '7 mois', '5 %'], ['4', 'Menuiseries extérieures bois', '186 500 €', '4 mois', '5 %'], ['5', 'Menuiseries intérieures', '92 300 €', '5 mois', 'sans']])}<p>Critères : prix <b>40 %</b>, valeur technique <b>45 %</b>, délai <b>15 %</b>.</p><p>Visite obligatoire le <time>9 juin 2026 à 14 h</time>, inscription au 02 48 99 17 30.</p>`)],
    ['lirePage', { url: 'https://marches.example/avis/26-44518' }, page('Halle de Sancerre', `${tableau(['Lot', 'Intitulé', 'Estimation HT', 'Durée'], [['2', 'Charpente', '390 000 €', '6 mois'], ['3', 'Menuiseries chêne', '148 000 €', '3 mois']])}<p>Le bois provient de forêts à moins de <b>150 km</b>, certificat exigé.</p><p>Bâtiment classé : l’architecte des bâtiments de France valide chaque profil.</p>`)],
    ['lirePage', { url: 'https://marches.example/avis/26-45002' }, page('Préau de Nevers', `${tableau(['Lot', 'Intitulé', 'Estimation HT'], [['1', 'Menuiseries bois et serrurerie', '318 000 €']])}<p>Lot unique, groupement possible.</p>`)],
  ]);
  s.fact('lot4', { words: ['186 500 €', '4 mois'], beside: ['Menuiseries extérieures bois'], columns: ['Estimation HT', 'Durée'], by: 'result' }, v);
  s.fact('criteres', { words: ['40 %', '45 %'], beside: ['prix', 'valeur technique'], by: 'result' }, v);
  s.fact('chene', { words: ['148 000 €', '3 mois'], beside: ['Menuiseries chêne'], columns: ['Durée'], by: 'result' }, sa);
  s.fact('foret', { words: ['150 km'], beside: ['certificat exigé'], by: 'result' }, sa);
  s.fact('abf', { words: ['valide chaque profil'], by: 'result' }, sa);
  s.says('Nevers dépasse le plafond. Vierzon et Sancerre conviennent ; à Vierzon la visite est obligatoire.');
  s.user('Laisse Nevers. Vierzon : seulement le lot 4, l’intérieur on n’a pas les bras. Inscris-moi à la visite, je m’appelle Delaunay.');
  s.fact('lotseul', { words: ['seulement le lot 4'], by: 'user' });
  s.call('envoyerFormulaire', { url: 'https://marches.example/visite', nom: 'Delaunay' }, page('Inscription', '<div class="ok"><p>Inscription <b>VI-3306</b> : 9 juin, 14 h 20, entrée rue Voltaire. Casque et pièce d’identité.</p></div>', 3), { approval: true });
  s.fact('vi', { words: ['VI-3306', '14 h 20', 'rue Voltaire'], by: 'result' });
  s.says('Inscrit.');
  s.user('Lis le règlement de consultation de Vierzon, je veux savoir ce qu’il faut fournir.');
  s.call('lirePage', { url: 'https://marches.example/avis/26-44071/rc' }, page('Règlement de consultation', `<ol>${['Acte d’engagement signé', 'Mémoire technique de 12 pages au plus, police 11', 'Trois références de moins de cinq ans', 'Attestation décennale', 'Fiche FDES des bois', 'Planning par semaine'].map((piece) => `<li>${piece}</li>`).join('')}</ol><p>Offre rejetée si le mémoire dépasse la longueur.</p><p>Questions jusqu’au <b>12 juin 2026</b>.</p><p>Signature électronique au format PAdES.</p>`, 10));
  s.fact('memoire', { words: ['12 pages au plus', 'police 11'], by: 'result' });
  s.fact('references', { words: ['Trois références de moins de cinq ans'], by: 'result' });
  s.fact('pades', { words: ['PAdES'], by: 'result' });
  s.fact('questions', { words: ['12 juin 2026'], beside: ['Questions'], by: 'result' });
  s.says('Six pièces ; le mémoire a une longueur maximale.');
  s.user('Pour les références, ne cite pas la mairie de Mehun, c’est en litige. Maintenant le CCTP.');
  s.fact('mehun', { words: ['ne cite pas la mairie de Mehun'], by: 'user' });
  s.call('lirePage', { url: 'https://marches.example/avis/26-44071/cctp' }, page('CCTP lot 4', divs(['Repère', 'Désignation', 'Nombre', 'Dimensions', 'Uw', 'Essence'], parmi(44, (at) => [`F${at}`, r.pick(['Fenêtre', 'Châssis fixe', 'Porte-fenêtre']), String(1 + r.int(12)), `${60 + r.int(90)} x ${90 + r.int(130)} cm`, `1.${r.int(9)}`, r.pick(['pin', 'mélèze'])], { 17: ['F17', 'Porte-fenêtre préau', '14', '140 x 235 cm', '1.2', 'chêne'], 30: ['F30', 'Imposte cintrée', '6', '140 x 62 cm', '1.4', 'chêne'] })), 7));
  s.fact('f17', { words: ['140 x 235 cm', '14'], beside: ['F17'], columns: ['Nombre', 'Dimensions'], by: 'result' });
  s.fact('f30', { words: ['140 x 62 cm', '1.4'], beside: ['F30'], columns: ['Dimensions', 'Uw'], by: 'result' });
  s.says('Le gros du travail : les portes-fenêtres F17 et les impostes F30.');
  s.user('Demande les prix du chêne, livré avant fin juillet');
  s.fact('juillet', { words: ['livré avant fin juillet'], by: 'user' });
  s.call('lirePage', { url: 'https://scierie.example/tarifs' }, page('Tarifs', divs(['Article', 'Section', 'Prix m³', 'Délai', 'Origine'], parmi(46, () => [`${r.pick(['Chêne', 'Mélèze', 'Pin'])} ${r.id('', 3)}`, `${20 + r.int(80)} x ${60 + r.int(100)}`, `${600 + r.int(1500)} €`, `${1 + r.int(12)} sem.`, r.pick(['Allier', 'Vosges', 'Jura'])], { 26: ['Chêne CH-QFA', '63 x 125', '1 840 €', '5 sem.', 'Tronçais (110 km)'] })), 6));
  s.fact('qfa', { words: ['1 840 €', '5 sem.'], beside: ['CH-QFA'], columns: ['Prix m³', 'Délai'], by: 'result' });
  s.fact('troncais', { words: ['Tronçais (110 km)'], beside: ['CH-QFA'], columns: ['Origine'], by: 'result' });
  s.says('Le chêne de Tronçais irait pour les deux marchés.');
  s.user('Parfait, réserve 9 m³. Si l’échéance a bougé à Vierzon, dis-le.');
  s.call('envoyerFormulaire', { url: 'https://scierie.example/reserver', article: 'CH-QFA', m3: 9 }, page('Réservation', '<p>Option <b>OP-7714</b> sur 9 m³ jusqu’au 3 juillet 2026, sans acompte.</p>', 3), { approval: true });
  s.fact('option', { words: ['OP-7714', '3 juillet 2026'], by: 'result' });
  s.call('lirePage', { url: 'https://marches.example/avis/26-44071/rectificatif' }, page('Avis rectificatif 26-44071', '<p>Au lieu de : 22/06/2026 12h00, lire : <b>26/06/2026 à 10h00</b>. La retenue de garantie passe à 3 %.</p>', 5));
  s.supersede('vierzon', { words: ['26/06/2026 à 10h00'], beside: ['26-44071'], by: 'result', id: 'vierzon2' });
  s.fact('retenue', { words: ['retenue de garantie passe à 3 %'], by: 'result' });
  s.says('Oui : quatre jours de plus, et la garantie baisse.');
  s.user('Bien. Pour Sancerre, qui est l’architecte ?');
  s.call('lirePage', { url: 'https://marches.example/avis/26-44518/contacts' }, page('Contacts', divs(['Rôle', 'Nom', 'Téléphone', 'Absences'], parmi(24, () => [r.pick(['Économiste', 'BET', 'SPS', 'Secrétariat']), r.pick(['M. Roy', 'Mme Petit', 'M. Faure']), `02 48 ${10 + r.int(80)} ${10 + r.int(80)} 00`, r.pick(['', 'août'])], { 15: ['ABF', 'Mme Quéméneur', '02 48 54 31 07', 'du 8 au 14 juin'] })), 6));
  s.fact('quemeneur', { words: ['02 48 54 31 07', 'du 8 au 14 juin'], beside: ['Mme Quéméneur'], columns: ['Téléphone', 'Absences'], by: 'result' });
  s.says('Une ABF, absente une semaine en juin.');
  s.user('Je préfère qu’on lui écrive, et toujours avec copie à ma femme, compta@delaunay.example.');
  s.fact('copie', { words: ['toujours avec copie à ma femme', 'compta@delaunay.example'], by: 'user' });
  s.call('envoyerMessage', { a: 'ABF', cc: 'compta@delaunay.example', objet: 'Profils de la halle' }, '<p>Message <b>MS-4410</b> déposé.</p>', { approval: true });
  s.fact('ms', { words: ['MS-4410'], by: 'result' });
  s.call('lirePage', { url: 'https://marches.example/attributions' }, page('Attributions récentes', tableau(['Marché', 'Lot', 'Titulaire', 'Montant HT'], parmi(46, () => [commune(), String(r.int(9)), `${r.pick(['Bois', 'Ateliers', 'Menuiserie'])} ${r.pick(['Martin', 'Bernard', 'Roux'])}`, `${50 + r.int(300)} 000 €`], { 33: ['Collège Zola, Bourges', '4', 'Ateliers Roux', '171 200 €'] })), 6));
  s.fact('zola', { words: ['171 200 €'], beside: ['Collège Zola'], columns: ['Montant HT'], by: 'result' });
  s.says('Le marché le plus proche du nôtre a été attribué aux Ateliers Roux.');
  s.user('Utile. Prépare un tableau de bord : dates, pièces, prix, numéros, pour les deux marchés.');
  s.call('lirePage', { url: 'https://marches.example/aide/depot' }, page('Déposer une offre', '<p>Le poids total ne dépasse pas 80 Mo ; au-delà le dépôt échoue sans message.</p>', 8));
  s.fact('poids', { words: ['80 Mo'], by: 'result' });
  s.says('Voici.');
});
