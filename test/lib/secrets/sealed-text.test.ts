import { describe, expect, test } from 'bun:test'
import { createSealer } from '../../../src/lib/secrets/sealed-text.ts'

const bytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const sealer = (secret = 'the secret of the server', purpose = 'mail') => createSealer(secret, purpose, bytes)

describe('a sealed text', () => {
  test('is opened with the same secret, and is another one each time', async () => {
    const [one, other] = await Promise.all([sealer().seal('pässword'), sealer().seal('pässword')])
    expect([await sealer().open(one), await sealer().open(other)]).toEqual(['pässword', 'pässword'])
    expect(one).not.toBe(other)
    expect(one).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/)
    expect(one).not.toContain(Buffer.from('pässword').toString('base64url'))
  })

  test('is not opened with another secret, for another purpose, or when it was changed', async () => {
    const sealed = await sealer().seal('password')
    expect(await sealer('another secret').open(sealed)).toBeNull()
    expect(await sealer('the secret of the server', 'else').open(sealed)).toBeNull()
    const [version, nonce, text = ''] = sealed.split('.')
    const turned = text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`
    for (const changed of ['', 'v1', 'v1..', `v2.${nonce}.${text}`, [version, nonce, turned].join('.')]) {
      expect(await sealer().open(changed)).toBeNull()
    }
  })
})
