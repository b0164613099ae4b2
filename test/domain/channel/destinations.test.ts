/** Finding edits that would send hidden values to another server. */
import { describe, expect, test } from 'bun:test'
import { HIDDEN } from '../../../src/domain/carrier/header-lines.ts'
import { sendsElsewhere } from '../../../src/domain/channel/destinations.ts'
import { settingFields } from '../../../src/domain/channel/setting-fields.ts'
import { webhookForm } from '../../../src/transports/parts/webhook-form.ts'

const FIELDS = settingFields(webhookForm.fields)
const [A, B] = ['https://a.example/1', 'https://b.example/1']
const headers_down = { Authorization: 'Bearer hidden', Host: 'inner.example' }

describe('what is hidden goes elsewhere', () => {
  test.each([
    ['with another server', { url: A }, { url: B }],
    ['with another port', { url: A }, { url: 'https://a.example:8443/1' }],
    ['without TLS', { url: A }, { url: 'http://a.example/1' }],
    ['with the server of the other status', { url_down: A, url_up: B }, { url_down: B, url_up: B }],
    ['when a status falls back to the server of the other', { url: B, url_down: A }, { url: B, url_down: '' }],
    ['with another Host header', { url: A, headers_down }, { url: A, headers_down: `Host: evil.example` }],
    [
      'with a second Host header',
      { url: A, headers_down },
      { url: A, headers_down: 'Host: inner.example\nhost: evil' },
    ],
    ['without the Host header', { url: A, headers_down }, { url: A, headers_down: `Authorization: ${HIDDEN}` }],
    [
      'with a Host header for the other status',
      { url: A, headers_down },
      {
        url: A,
        headers_down: 'Host: inner.example',
        headers_up: 'Host: evil.example',
      },
    ],
  ])('%s', (_, stored, typed) => expect(sendsElsewhere(FIELDS, typed, stored)).toBe(true))
})

describe('what is hidden stays where it is', () => {
  test.each([
    ['with another path', { url: A }, { url: 'https://a.example/2?x=$NAME' }],
    ['with a URL for each status instead of one', { url: A }, { url: '', url_down: A, url_up: A }],
    ['with one URL instead of one for each status', { url_down: A, url_up: A }, { url: A, url_down: '', url_up: '' }],
    ['when another status is sent to the same server too', { url_down: A }, { url_down: A, url_up: A }],
    [
      'with the same Host header',
      { url: A, headers_down },
      {
        url: A,
        headers_down: `X-More: 1\nhost: inner.example\nAuthorization: ${HIDDEN}`,
      },
    ],
  ])('%s', (_, stored, typed) => expect(sendsElsewhere(FIELDS, typed, stored)).toBe(false))
})
