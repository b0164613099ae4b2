import { describe, expect, test } from 'bun:test'
import { badgeUrls } from '../../../src/domain/badge-urls.ts'
import { hashApiKey } from '../../../src/domain/project.ts'
import { mapKeys, verifySecret } from '../../../src/import/from-healthchecks/keys.ts'
import { fromSeconds } from '../../../src/lib/time.ts'

const SECRET = '---'
const KEY = 'hcw_Ab3dEf6hIj9lMn2pQr5tUv8xYz1c'
const BADGE_KEY = '875029a0-47ba-4a95-a496-dc35ac'
const row = { api_key: `${KEY.slice(4, 12)}.${hashApiKey(KEY, SECRET)}`, api_key_readonly: '', ping_key: null }
const projects = [{ badgeKey: BADGE_KEY, keys: mapKeys(row, 'Ops', fromSeconds(0), 'any', () => {}) }]

describe('a secret', () => {
  test('is right if a key of the old server has its hash, also when it is short', () => {
    expect(verifySecret(SECRET, { apiKey: KEY }, projects)).toBe('right')
    expect(verifySecret('another', { apiKey: KEY }, projects)).toBe('wrong')
  })

  test('cannot be told by a key that these projects do not have', () => {
    expect(verifySecret(SECRET, { apiKey: KEY.replace('Ab3d', 'XXXX') }, projects)).toBe('unknown')
    expect(verifySecret(SECRET, { apiKey: 'plain' }, projects)).toBe('unknown')
  })

  test.each(['*', 'web', 'a/b ü', '100%'])('is right if it signs the badge of the tag %s', (tag) => {
    for (const url of Object.values(badgeUrls('https://hc.example.org', BADGE_KEY, tag, SECRET))) {
      expect(verifySecret(SECRET, { badgeUrl: url }, projects)).toBe('right')
      expect(verifySecret('another', { badgeUrl: url }, projects)).toBe('wrong')
    }
  })

  test('cannot be told by the URL of a badge of another project, or of no badge', () => {
    const { svg } = badgeUrls('https://hc.example.org', 'other', '*', SECRET)
    for (const badgeUrl of [svg, 'https://hc.example.org/', '%%%']) {
      expect(verifySecret(SECRET, { badgeUrl }, projects)).toBe('unknown')
    }
  })
})
