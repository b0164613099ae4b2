import { expect, test } from 'bun:test'
import { crossOrigin } from '../../src/http/cors.ts'

test('pages of every origin may use the methods of a path and send a key', () => {
  expect(crossOrigin(['GET', 'POST'])).toEqual({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'X-Api-Key',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-max-age': '600',
  })
})
