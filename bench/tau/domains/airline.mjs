// Reservations and flights. Only measured: whoever changes what is kept looks at its totals and not at its tasks.

import { collector, definedOf, readJson } from './lookups.mjs';

const KINDS = {
  update_reservation_flights: 'flights',
  update_reservation_baggages: 'baggage',
  update_reservation_passengers: 'passengers',
  book_reservation: 'book',
  cancel_reservation: 'cancel',
  send_certificate: 'certificate',
};
const NO_LOOKUP = ['calculate', 'transfer_to_human_agents'];

export function customers(folder) {
  const db = readJson(folder, 'db.json');
  return readJson(folder, 'tasks.json').flatMap((task) => customerOf(task, db) ?? []);
}

const isOpen = ({ dates }, date) => dates[date]?.status === 'available';

function flightOn({ dates, flight_number, origin, destination, ...times }, date) {
  const { available_seats, prices } = dates[date];
  const { scheduled_departure_time_est, scheduled_arrival_time_est } = times;
  return {
    flight_number,
    origin,
    destination,
    status: 'available',
    scheduled_departure_time_est,
    scheduled_arrival_time_est,
    available_seats,
    prices,
  };
}

/** What the agent can look up. */
function readsOf(db) {
  const direct = ({ origin, destination, date }) =>
    Object.values(db.flights).filter((flight) => flight.origin === origin && flight.destination === destination && isOpen(flight, date));
  const onward = (first, { destination, date }) =>
    direct({ origin: first.destination, destination, date }).filter(
      (second) => second.scheduled_departure_time_est >= first.scheduled_arrival_time_est,
    );
  return {
    get_reservation_details: ({ reservation_id }) => db.reservations[reservation_id] ?? 'Reservation not found',
    get_user_details: ({ user_id }) => db.users[user_id] ?? 'User not found',
    get_flight_status: ({ flight_number, date }) => db.flights[flight_number]?.dates[date]?.status ?? 'Flight not found',
    search_direct_flight: (asked) => direct(asked).map((flight) => flightOn(flight, asked.date)),
    search_onestop_flight: (asked) =>
      Object.values(db.flights)
        .filter((first) => first.origin === asked.origin && isOpen(first, asked.date))
        .flatMap((first) => onward(first, asked).map((second) => [flightOn(first, asked.date), flightOn(second, asked.date)])),
  };
}

/** The look-ups of the reference; where it goes straight to a write, those on which the write rests are added. */
function lookups(actions, writes, db) {
  const read = readsOf(db);
  const { reads, add } = collector(read);
  for (const { name, arguments: input } of actions) {
    if (read[name]) add(name, input);
    else if (!KINDS[name] && !NO_LOOKUP.includes(name)) throw new Error(`airline: no look-up ${name}`);
  }
  for (const { arguments: input } of writes) {
    const { reservation_id, flights = [] } = input;
    const reservation = db.reservations[reservation_id];
    if (reservation) add('get_reservation_details', { reservation_id });
    add('get_user_details', { user_id: input.user_id ?? reservation.user_id });
    const isBooked = ({ flight_number, date }) =>
      reservation?.flights.some((flight) => flight.flight_number === flight_number && flight.date === date);
    for (const { flight_number, date } of flights.filter((flight) => !isBooked(flight))) {
      const { origin, destination } = db.flights[flight_number];
      add('search_direct_flight', { origin, destination, date });
    }
  }
  return reads;
}

function customerOf({ id, evaluation_criteria, user_scenario }, db) {
  const actions = evaluation_criteria?.actions ?? [];
  const { reason_for_call, known_info } = user_scenario.instructions;
  const writes = actions.filter(({ name }) => KINDS[name]);
  const reads = lookups(actions, writes, db);
  const user = reads.map(({ output }) => db.users[output?.user_id]).find(Boolean);
  if (user === undefined) return undefined;
  const { first_name, last_name } = user.name;
  const touched = definedOf(writes.map(({ arguments: input }) => input.reservation_id));
  const flightsOf = (reservation) =>
    db.reservations[reservation].flights.map(({ flight_number, date }) => `${flight_number} on ${date}`).join(', ');
  const reservations = {};
  return {
    id,
    name: `${first_name} ${last_name}`,
    own: [user.user_id, user.email, ...user.reservations, ...Object.keys(user.payment_methods)],
    ask: `${reason_for_call} ${known_info ?? ''}`.trim(),
    confirm: `I am ${first_name} ${last_name}. Yes, please go ahead with what I asked for.`,
    tells: `I have looked that up, ${first_name}.${touched.map((one) => ` Reservation ${one}: ${flightsOf(one)}.`).join('')}`,
    reads,
    writes: writes.map(({ name: tool, arguments: input }) => ({
      tool,
      kind: KINDS[tool],
      input,
      needs: needsOf(input),
      output: structuredClone(changed(tool, input, { db, reservations })),
      search: {
        handles: definedOf([input.reservation_id, user.user_id, `${first_name}*${last_name}`]),
        names: definedOf(
          (input.flights ?? []).flatMap(({ flight_number }) => [db.flights[flight_number].origin, db.flights[flight_number].destination]),
        ),
        opens: { tool: 'search_', about: definedOf((input.flights ?? []).map(({ date }) => date)) },
      },
    })),
  };
}

/** What is copied into a write. Sums and counts are worked out, and a reservation's code may be of letters alone. */
function needsOf({ reservation_id, user_id, flights = [], passengers = [], payment_methods = [], payment_id }) {
  return definedOf([
    reservation_id,
    user_id,
    payment_id,
    ...flights.flatMap(({ flight_number, date }) => [flight_number, date]),
    ...passengers.flatMap(({ last_name, dob }) => [last_name, dob]),
    ...payment_methods.map((method) => method.payment_id),
  ]);
}

/** What a write returns: the reservation as it is then. */
function changed(tool, input, { db, reservations }) {
  if (tool === 'send_certificate') return `Certificate added to user ${input.user_id} with amount ${input.amount}.`;
  const { reservation_id = 'HATHAT', payment_methods, ...given } = input;
  reservations[reservation_id] ??= structuredClone(db.reservations[reservation_id] ?? { reservation_id });
  const reservation = reservations[reservation_id];
  const withPrices = (flights) => flights.map((flight) => ({ ...flight, ...routeOf(flight, given.cabin ?? reservation.cabin, db) }));
  switch (tool) {
    case 'cancel_reservation': {
      const refunds = reservation.payment_history.map(({ payment_id, amount }) => ({ payment_id, amount: -amount }));
      return Object.assign(reservation, { payment_history: [...reservation.payment_history, ...refunds], status: 'cancelled' });
    }
    case 'book_reservation':
      return Object.assign(reservation, given, { flights: withPrices(given.flights), payment_history: payment_methods });
    case 'update_reservation_flights':
      return Object.assign(reservation, { cabin: given.cabin, flights: withPrices(given.flights) });
    case 'update_reservation_baggages':
      return Object.assign(reservation, { total_baggages: given.total_baggages, nonfree_baggages: given.nonfree_baggages });
    default:
      return Object.assign(reservation, { passengers: given.passengers });
  }
}

function routeOf({ flight_number, date }, cabin, db) {
  const { origin, destination, dates } = db.flights[flight_number];
  return { origin, destination, price: dates[date]?.prices?.[cabin] };
}
