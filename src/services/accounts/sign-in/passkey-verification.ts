/**
 * Verifies browsers' passkey responses with SimpleWebAuthn. The library is loaded when the first passkey is added or used, because loading
 * it takes at least a tenth of a second and several megabytes of memory.
 */
import {
  ALGORITHMS,
  isPasskeyId,
  knownTransports,
  type Passkey,
  type PasskeyUse,
} from '../../../domain/account/passkey.ts'
import type { PasskeyRules } from '../../../domain/account/sign-in-rules.ts'
import { Refusal } from '../../../domain/errors.ts'
import { fits, type Static, Text, Type } from '../../../domain/schema.ts'

const CREDENTIAL = { id: Text(), rawId: Text(), type: Type.Literal('public-key') }

const Attestation = Type.Object({
  ...CREDENTIAL,
  response: Type.Object({
    clientDataJSON: Text(),
    attestationObject: Text(),
    transports: Type.Optional(Type.Array(Text())),
  }),
})

const Assertion = Type.Object({
  ...CREDENTIAL,
  response: Type.Object({
    clientDataJSON: Text(),
    authenticatorData: Text(),
    signature: Text(),
    userHandle: Type.Optional(Type.Union([Text(), Type.Null()])),
  }),
})

/** The result of `PublicKeyCredential.toJSON` for a signature. */
type AssertionJson = Static<typeof Assertion>

/** @param text JSON submitted with a form @throws Refusal `passkey-refused` */
export function readAssertion(text: string): AssertionJson {
  return readJson(Assertion, text)
}

/**
 * Verifies a new passkey, but not its owner or manufacturer.
 * @param challenge the random bytes to sign, in base64url
 * @param text JSON submitted with a form
 * @throws Refusal `passkey-refused`
 */
export async function verifyNewPasskey(
  { rpId, origin }: PasskeyRules,
  challenge: string,
  text: string,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>> {
  const response = readJson(Attestation, text)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await orRefuse(() =>
    verifyRegistrationResponse({
      response: { ...response, response: { ...response.response }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  )
  if (!registrationInfo) throw passkeyRefused()
  const { id, publicKey, counter } = registrationInfo.credential
  // The id in the message is not signed, so only the id in the authenticator data is used.
  if (!isPasskeyId(id)) throw passkeyRefused()
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: knownTransports(response.response.transports ?? []),
  }
}

/** @param challenge as for {@link verifyNewPasskey} @throws Refusal `passkey-refused`, also if the counter has not increased */
export async function verifyPasskeyUse(
  { rpId, origin }: PasskeyRules,
  challenge: string,
  passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter'>,
  { response, ...credential }: AssertionJson,
): Promise<PasskeyUse> {
  const { clientDataJSON, authenticatorData, signature } = response
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await orRefuse(() =>
    verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    }),
  )
  if (!verified) throw passkeyRefused()
  return { id: passkey.id, counter: authenticationInfo.newCounter, isVerified: authenticationInfo.userVerified }
}

/** Returns a refusal without a reason, because the reason could reveal which passkeys exist. */
export function passkeyRefused(cause?: unknown): Refusal {
  return new Refusal('passkey-refused', 'the passkey was not accepted', {}, { cause })
}

function readJson<Schema extends typeof Attestation | typeof Assertion>(schema: Schema, text: string): Static<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw passkeyRefused(error)
  }
  if (!fits(schema, value)) throw passkeyRefused()
  return value as Static<Schema>
}

/** Converts any error from the library to a refusal. The library passes on whatever its parsers throw. */
async function orRefuse<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw passkeyRefused(error)
  }
}
