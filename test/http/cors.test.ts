import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { crossOrigin } from '../../src/http/cors.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

test('pages of every origin may use the methods of a path and send a key', () => {
  expect(crossOrigin(['GET', 'POST'])).toEqual({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'X-Api-Key',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-max-age': '600',
  })
})

describe('the preflight of a page that sends JSON', () => {
  let t: TestApp
  beforeEach(async () => {
    t = await testApp()
  })
  afterEach(() => t.close())

  const allowed = async (method: string, asked: string) => {
    const headers = {
      Origin: 'https://example.org',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': asked,
    }
    const response = await t.call(method, '/api/v3/checks/', { headers })
    return response.headers.get('access-control-allow-headers')
  }

  test('allows a Content-Type', async () => {
    expect(await allowed('OPTIONS', 'content-type,x-api-key')).toBe('X-Api-Key, Content-Type')
    expect(await allowed('OPTIONS', 'X-Api-Key, Content-Type')).toBe('X-Api-Key, Content-Type')
  })

  test('allows only headers that the page asks for, and only in a preflight', async () => {
    expect(await allowed('OPTIONS', 'x-api-key')).toBe('X-Api-Key')
    expect(await allowed('OPTIONS', 'x-content-type')).toBe('X-Api-Key')
    expect(await allowed('GET', 'content-type')).toBe('X-Api-Key')
  })
})
