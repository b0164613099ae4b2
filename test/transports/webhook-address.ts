/** Shared tests of kinds whose only setting is the URL of a webhook. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import type { Transport } from '../../src/transports/transport.ts'

/** Registers the tests for a kind that wants every flip and is judged by status. */
export function testWebhookAddress(transport: Transport<'http'>, url: string): void {
  describe('the settings', () => {
    test.each([
      ['no URL', 'hello', 'mismatch'],
      ['another scheme', 'file:///etc/passwd', 'mismatch'],
      ['a URL with a line end', 'https://chat.test/\nx', 'mismatch'],
      ['a URL of 1001 characters', `https://${'a'.repeat(993)}`, 'too long'],
      ['an object', { url }, 'not a string'],
    ] as const)('may not be %s', (_, settings, violation) => {
      expect(firstProblem(transport.settings, settings)).toEqual({ path: '', violation })
    })
  })
}
