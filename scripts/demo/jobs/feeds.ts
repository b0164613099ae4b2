/** Jobs that fetch data of others for the web shop. */
import { curl, type Job, posts } from '../job.ts'
import { counted } from '../outputs.ts'

const project = 'Harbour Books'
const worker = '192.0.2.42'

export const feeds: readonly Job[] = [
  {
    project,
    spec: {
      name: 'Stock levels from the London store',
      slug: 'stock-london',
      tags: 'etl stock london',
      timeout: 21_600,
      grace: 5_400,
      channels: 'Shop on call,ops@harbourbooks.example',
    },
    sender: posts('python-requests/2.32.3', '198.51.100.17'),
    takes: 210,
    beganAgo: 22_800,
    says: counted('titles changed', 120, 940),
    troubles: [
      { fromHoursAgo: 410, toHoursAgo: 390, what: { kind: 'silent' } },
      { fromHoursAgo: 1, toHoursAgo: null, what: { kind: 'late', bySeconds: 3_900 } },
    ],
  },
  {
    project,
    spec: {
      name: 'Price feed, Baltic wholesale',
      slug: 'price-feed-baltic',
      tags: 'feeds prices',
      desc: 'The wholesaler drops connections now and then. If it stays down for an hour, call them.',
      timeout: 60,
      grace: 60,
      channels: 'Status board',
    },
    sender: curl(worker),
    takes: null,
    beganAgo: 20,
    madeDaysAgo: 0.125,
    says: counted('prices', 3, 60),
    troubles: [
      { fromHoursAgo: 2.2, toHoursAgo: 2.1, what: { kind: 'silent' } },
      { fromHoursAgo: 0.9, toHoursAgo: 0.82, what: { kind: 'silent' } },
      { fromHoursAgo: -0.05, toHoursAgo: -0.12, what: { kind: 'silent' } },
    ],
  },
  {
    project,
    spec: {
      name: 'Currency rates',
      slug: 'currency-rates',
      tags: 'feeds finance',
      desc: 'Published by the ECB at 16:00, Frankfurt time.',
      schedule: '10 16 * * 1-5',
      tz: 'Europe/Berlin',
      grace: 3_600,
      channels: 'Shop on call',
    },
    sender: posts('python-requests/2.32.3', worker),
    takes: 4,
    says: counted('currencies', 30, 30),
  },
]
