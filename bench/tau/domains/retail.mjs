// Orders, products and customers of a shop.

import { collector, definedOf, readJson } from './lookups.mjs';

const KINDS = {
  exchange_delivered_order_items: 'exchange',
  modify_pending_order_items: 'modify',
  return_delivered_order_items: 'return',
  cancel_pending_order: 'cancel',
  modify_pending_order_address: 'address',
  modify_user_address: 'address',
  modify_pending_order_payment: 'payment',
};
const NO_LOOKUP = ['calculate', 'transfer_to_human_agents'];
const ADDRESS = ['address1', 'address2', 'city', 'country', 'state', 'zip'];

const isSame = (left, right) => left?.toLowerCase() === right?.toLowerCase();

export function customers(folder) {
  const db = readJson(folder, 'db.json');
  return readJson(folder, 'tasks.json').flatMap((task) => customerOf(task, db) ?? []);
}

/** What the agent can look up. */
function readsOf(db) {
  const users = Object.values(db.users);
  const idOf = (isWanted) => users.find(isWanted)?.user_id ?? 'User not found';
  return {
    get_order_details: ({ order_id }) => db.orders[order_id] ?? 'Order not found',
    get_product_details: ({ product_id }) => db.products[product_id] ?? 'Product not found',
    get_user_details: ({ user_id }) => db.users[user_id] ?? 'User not found',
    find_user_id_by_email: ({ email }) => idOf((user) => isSame(user.email, email)),
    find_user_id_by_name_zip: ({ first_name, last_name, zip }) =>
      idOf(({ name, address }) => isSame(name.first_name, first_name) && isSame(name.last_name, last_name) && address.zip === zip),
    list_all_product_types: () => Object.fromEntries(Object.values(db.products).map(({ name, product_id }) => [name, product_id])),
  };
}

const productOf = (item, db) => Object.values(db.products).find(({ variants }) => variants[item]);

/** The look-ups of the reference; where it goes straight to a write, those on which the write rests are added. */
function lookups(actions, writes, db) {
  const read = readsOf(db);
  const { reads, add } = collector(read);
  for (const { name, arguments: input } of actions) {
    if (read[name]) add(name, input);
    else if (!KINDS[name] && !NO_LOOKUP.includes(name)) throw new Error(`retail: no look-up ${name}`);
  }
  for (const { arguments: input } of writes) {
    const { order_id, user_id = db.orders[order_id].user_id, new_item_ids = [] } = input;
    if (order_id) add('get_order_details', { order_id });
    add('get_user_details', { user_id });
    // "The address of my other order."
    const livesThere = (id) => ADDRESS.every((key) => db.orders[id].address[key] === input[key]);
    const other = input.address1 ? db.users[user_id].orders.find(livesThere) : undefined;
    if (other) add('get_order_details', { order_id: other });
    for (const item of new_item_ids) add('get_product_details', { product_id: productOf(item, db).product_id });
  }
  return reads;
}

function customerOf({ id, evaluation_criteria, user_scenario }, db) {
  const actions = evaluation_criteria?.actions ?? [];
  const { reason_for_call, known_info } = user_scenario.instructions;
  const writes = actions.filter(({ name }) => KINDS[name]);
  const reads = lookups(actions, writes, db);
  const user = reads.map(({ output }) => db.users[output?.user_id] ?? db.users[output]).find(Boolean);
  if (user === undefined) return undefined;
  const { first_name, last_name } = user.name;
  const touched = definedOf(writes.map(({ arguments: input }) => input.order_id));
  const itemsOf = (order) => db.orders[order].items.map(({ name, item_id }) => `${name} (${item_id})`).join(', ');
  const state = {
    db,
    profile: structuredClone(user),
    orders: structuredClone(Object.fromEntries(user.orders.map((order) => [order, db.orders[order]]))),
  };
  return {
    id,
    name: `${first_name} ${last_name}`,
    // Some leave out the # of an order.
    own: [user.user_id, user.email, ...user.orders, ...user.orders.map((order) => order.slice(1)), ...Object.keys(user.payment_methods)],
    ask: `${reason_for_call} ${known_info}`,
    confirm: `${known_info.split('\n')[0]} Yes, please go ahead with what I asked for.`,
    tells: `I have looked that up, ${first_name}.${touched.map((order) => ` Order ${order}: ${itemsOf(order)}.`).join('')}`,
    reads,
    writes: writes.map(({ name: tool, arguments: input }) => {
      const { new_item_ids = [], item_ids = [], order_id } = input;
      const products = (items) => items.map((item) => productOf(item, db));
      return {
        tool,
        kind: KINDS[tool],
        input,
        output: structuredClone(changed(tool, input, state)),
        search: {
          handles: definedOf([order_id, user.user_id, `${first_name}*${last_name}`]),
          names: definedOf(products([...new_item_ids, ...item_ids]).map((product) => product?.name)),
          opens: { tool: 'get_product_details', about: definedOf(products(new_item_ids).map((product) => product?.product_id)) },
        },
      };
    }),
  };
}

/** What a write returns: the order or the profile as it is then. */
function changed(tool, input, { db, orders, profile }) {
  const { order_id, item_ids, new_item_ids, payment_method_id } = input;
  if (order_id) orders[order_id] ??= structuredClone(db.orders[order_id]);
  const order = orders[order_id];
  const address = Object.fromEntries(ADDRESS.map((key) => [key, input[key]]));
  const history = order?.payment_history;
  const itemOf = (item_id) => {
    const { name, product_id, variants } = productOf(item_id, db);
    return { name, product_id, item_id, price: variants[item_id].price, options: variants[item_id].options };
  };
  switch (tool) {
    case 'modify_user_address':
      return Object.assign(profile, { address });
    case 'modify_pending_order_address':
      return Object.assign(order, { address });
    case 'cancel_pending_order': {
      const refunds = history.map((payment) => ({ ...payment, transaction_type: 'refund' }));
      return Object.assign(order, { status: 'cancelled', cancel_reason: input.reason, payment_history: [...history, ...refunds] });
    }
    case 'return_delivered_order_items':
      return Object.assign(order, { status: 'return requested', return_items: item_ids, return_payment_method_id: payment_method_id });
    case 'exchange_delivered_order_items':
      return Object.assign(order, {
        status: 'exchange requested',
        exchange_items: item_ids,
        exchange_new_items: new_item_ids,
        exchange_payment_method_id: payment_method_id,
      });
    case 'modify_pending_order_items': {
      const replaced = (item) => (item_ids.includes(item.item_id) ? itemOf(new_item_ids[item_ids.indexOf(item.item_id)]) : item);
      return Object.assign(order, { status: 'pending (item modified)', items: order.items.map(replaced) });
    }
    default: {
      const payment = { transaction_type: 'payment', amount: history[0].amount, payment_method_id };
      return Object.assign(order, { payment_history: [...history, payment] });
    }
  }
}
