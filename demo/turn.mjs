// Generates orders.csv (see NOTICE.md). No script of the project runs this file: it shows how the
// public data became the demo's CRM.
import { faker } from '@faker-js/faker';
import { writeFileSync } from 'node:fs';

const kNow = Date.UTC(2026, 10, 21); // the generator counts back from today; today is fixed here
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length ? args : [kNow]));
  }
  static now() {
    return kNow;
  }
};
globalThis.faker = faker; // the generator expects it there
faker.seed(2026);
const { default: generate } = await import('data-generator-retail');
const retail = generate();

const kCountries = [['NL', 'nl'], ['NL', 'nl'], ['BE', 'nl'], ['BE', 'fr'], ['DE', 'de'],
                    ['FR', 'fr'], ['GB', 'en']];
const kFirstDay = Date.UTC(2026, 10, 1);
const kDays = 20;
const kDay = 24 * 60 * 60 * 1000;

const plain = (name) => name.normalize('NFD').replace(/[^A-Za-z0-9]/g, '').toLowerCase();

// One address for each customer, for all orders.
const addresses = new Map();
const taken = new Set();
function address_of(customer) {
  if (!addresses.has(customer.id)) {
    const stem = `${plain(customer.first_name)}.${plain(customer.last_name)}`;
    let local = stem;
    for (let n = 2; taken.has(local); n++) local = `${stem}${n}`;
    taken.add(local);
    addresses.set(customer.id, `${local}@example.test`);
  }
  return addresses.get(customer.id);
}

const first_review = new Map();
for (const review of retail.reviews)
  if (!first_review.has(review.order_id)) first_review.set(review.order_id, review);

// Five years of dates become twenty days, in the same order and with the same time of day.
const in_sequence = [...retail.orders].sort((a, b) => (a.date < b.date ? -1 : 1));
const rows = in_sequence.map((order, rank) => {
  const customer = retail.customers[order.customer_id];
  const review = first_review.get(order.id);
  const day = kFirstDay + Math.floor((rank * kDays) / in_sequence.length) * kDay;
  const [country, language] = kCountries[customer.id % kCountries.length];
  return {
    id: 10001 + rank,
    order_no: `P-${order.reference}`,
    email: address_of(customer),
    first_name: customer.first_name,
    last_name: customer.last_name,
    country,
    language,
    delivered_at: `${new Date(day).toISOString().slice(0, 10)} ${order.date.slice(11, 19)}`,
    amount: order.total.toFixed(2),
    remark: review ? review.comment.split('\n \r').slice(0, 2).join('\n \r') : '',
    grade: review ? review.rating : '',
    state: order.status === 'cancelled' ? 'cancelled' : 'delivered',
  };
});

// Difficult cases of real CRMs, one in each row, written by hand.
const someone = rows[42];
const long_domain = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(48)}.example.test`;
const odd = [
  { email: 'zoe.muller@example.test', first_name: 'Zoë', last_name: 'Müller-Łęcki',
    remark: 'Très bien, à bientôt!' },
  { email: "siobhan.o'connor@example.test", first_name: 'Siobhán', last_name: "O'Connor",
    remark: "It's what I'd asked for; 'quoted' \"twice\"" },
  { email: 'mia@example.test', first_name: 'Mia 🎉', last_name: '李', remark: '👍🏽👨‍👩‍👧 5/5', grade: 5 },
  { email: 'tom+posters@example.test', first_name: 'Tom', last_name: 'Plus' },
  { email: `${'l'.repeat(64)}@${long_domain}`, first_name: 'Longinus', last_name: 'Long' },
  { email: someone.email.toUpperCase(), first_name: someone.first_name.toUpperCase(),
    last_name: someone.last_name.toUpperCase() },
  { email: 'anna.maria@example.test', first_name: 'Anna\r\nMaria', last_name: 'Jansen' },
  { email: 'nobody.in.particular@example.test', first_name: '', last_name: '', country: '',
    language: '', amount: '' },
  { email: 'early.bird@example.test', first_name: 'Early', last_name: 'Bird',
    delivered_at: '2026-03-29 02:30:00' },
  { email: 'night.owl@example.test', first_name: 'Night', last_name: 'Owl',
    delivered_at: '2026-10-25 02:30:00' },
  { email: 'leap.day@example.test', first_name: 'Leap', last_name: 'Day',
    delivered_at: '2024-02-29 12:00:00' },
  { email: 'komma.punkt@example.test', first_name: 'Kurt', last_name: 'Komma', amount: '1.249,95' },
  { email: 'half.grade@example.test', first_name: 'Hanna', last_name: 'Halb', grade: '4,5' },
  { email: '', first_name: 'Without', last_name: 'Address' },
  { email: 'not-an-address', first_name: 'Bad', last_name: 'Address' },
  { email: 'robert@example.test', first_name: "Robert'); DROP TABLE orders;--", last_name: '=1+1',
    remark: '<script>alert(1)</script> &amp; ]]> \t tab' },
  { email: 'not.yet@example.test', first_name: 'Not', last_name: 'Yet', delivered_at: '',
    state: 'ordered' },
].map((row, index) => ({
  id: 20001 + index,
  order_no: `P-ODD${String(index + 1).padStart(5, '0')}`,
  country: 'NL',
  language: 'nl',
  delivered_at: `2026-11-${String(2 + index).padStart(2, '0')} 16:05:00`,
  amount: '49.95',
  remark: '',
  grade: '',
  state: 'delivered',
  ...row,
}));

const kColumns = ['id', 'order_no', 'email', 'first_name', 'last_name', 'country', 'language',
                  'delivered_at', 'amount', 'remark', 'grade', 'state'];
const quoted = (cell) =>
  /[",\r\n\t']/.test(`${cell}`) ? `"${`${cell}`.replaceAll('"', '""')}"` : `${cell}`;
const lines = [...rows, ...odd].map((row) => kColumns.map((c) => quoted(row[c])).join(','));
writeFileSync(process.argv[2], `${[kColumns.join(','), ...lines].join('\n')}\n`);
