/** Example values for the OpenAPI documents. Example checks are created and formatted by the same code as real checks. */

import type { Right } from '../../../domain/actor.ts'
import { badgeUrls } from '../../../domain/badge-urls.ts'
import { applySpec, type Check, newCheck } from '../../../domain/check/check.ts'
import {
  type ApiVersion,
  checkUrl,
  type FlipsForm,
  type Links,
  representCheck,
} from '../../../domain/check/representation.ts'
import { uniqueKey } from '../../../domain/check/unique-key.ts'
import { Temporal } from '../../../lib/time.ts'

export const CHECK_ID = '3c1169a6-c1ba-47ab-8b65-8a1c6e4f8a4b'
const CHANNEL_ID = '4ec5a071-2d08-4baa-898a-eb4eb3cd6941'
export const PROJECT_ID = '0a1b2c3d-5e6f-4a7b-8c9d-0e1f2a3b4c5d'
export const BADGE_KEY = '5f0c2f64-ae2b-4a0e-9a6e-6f0b4a5f3f02'
export const RUN_ID = '123e4567-e89b-42d3-a456-426614174000'
export const PING_KEY = 'p8f3k2x9w1c7m4v6b0q5zt'
export const ENTITY_TAG = '"Vd3bS0pEo6n2kR8xw1ZtQA"'
export const CHECK_UNIQUE_KEY = uniqueKey(CHECK_ID)

const at = (text: string) => Temporal.Instant.from(text)

const CREATED_AT = at('2026-03-01T09:00:00Z')
const NOW = at('2026-03-29T01:10:00Z')

const FRESH = newCheck({
  id: CHECK_ID,
  projectId: PROJECT_ID,
  badgeKey: BADGE_KEY,
  publicId: 'k7m2q9x4',
  createdAt: CREATED_AT,
})

/** A check's settings, as they appear in a request body. */
export const SPEC = {
  name: 'Nightly backup',
  slug: 'nightly-backup',
  tags: 'prod db',
  timeout: 86_400,
  grace: 3_600,
  channels: '*',
}
export const SCHEDULED_SPEC = { name: 'Report', schedule: '0 6 * * 1-5', tz: 'Europe/Riga', unique: ['name'] }

const CREATED = applySpec(FRESH, { ...SPEC, channels: CHANNEL_ID }, false)
const UP: Check = {
  ...CREATED,
  status: 'up',
  nPings: 27,
  lastPingAt: at('2026-03-29T01:00:00Z'),
  lastDuration: 41_500_000,
}
const SCHEDULED: Check = {
  ...applySpec(FRESH, { name: 'Report', schedule: '0 6 * * 1-5', tz: 'Europe/Riga' }, false),
  status: 'up',
  nPings: 4,
  lastPingAt: at('2026-03-27T04:00:00Z'),
}

export type Examples = ReturnType<typeof createExamples>

export function createExamples(version: ApiVersion, links: Links, form: FlipsForm) {
  const present = (check: Check, right: Right = 'write') =>
    representCheck({ check, channelIds: [CHANNEL_ID] }, { version, right, links, now: NOW })
  const flips = [
    { timestamp: '2026-03-28T02:12:09+00:00', up: 1 },
    { timestamp: '2026-03-28T02:00:00+00:00', up: 0 },
  ]
  return {
    created: present(CREATED),
    up: present(UP),
    scheduled: present(SCHEDULED),
    readOnly: present(UP, 'read'),
    paused: present({ ...UP, status: 'paused' }),
    resumed: present({ ...UP, status: 'new', lastPingAt: null }),
    pings: [
      {
        type: 'success',
        date: '2026-03-29T01:00:00.123456+00:00',
        n: 27,
        scheme: 'https',
        remote_addr: '203.0.113.7',
        method: 'POST',
        ua: 'curl/8.5.0',
        rid: RUN_ID,
        body_url: `${checkUrl(CHECK_ID, version, links)}/pings/27/body`,
        duration: 41.5,
      },
      {
        type: 'start',
        date: '2026-03-29T00:59:18.623456+00:00',
        n: 26,
        scheme: 'https',
        remote_addr: '203.0.113.7',
        method: 'GET',
        ua: 'curl/8.5.0',
        rid: RUN_ID,
        body_url: null,
      },
    ],
    flips: form === 'array' ? flips : { flips },
    badge: {
      'As JSON': { status: 'up', total: 2, grace: 1, down: 0 },
      'For shields.io': { schemaVersion: 1, label: 'prod', message: 'up', color: 'success' },
    },
    channels: [{ id: CHANNEL_ID, name: 'Ops', kind: 'ntfy' }],
    badges: {
      '*': badgeUrls(links.siteRoot, BADGE_KEY, '*', 'an example'),
      prod: badgeUrls(links.siteRoot, BADGE_KEY, 'prod', 'an example'),
    },
  }
}
