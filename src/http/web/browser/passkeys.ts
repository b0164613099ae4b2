/**
 * The script for the forms in `parts/forms/passkey-form.ts`. It fetches the data to sign from the server, has the browser sign it, and
 * submits the form with the result. The browser itself parses and serializes the JSON (Web Authentication, Level 3).
 */

const NEVER_USED = 'No passkey was used. Either you cancelled, or this browser has no passkey for this server.'

/** Error messages by DOMException name. */
const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: NEVER_USED,
  AbortError: NEVER_USED,
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: `The browser does not allow passkeys at this address. The server needs SITE_ROOT=${location.origin} and RP_ID=${location.hostname}.`,
}

function say(form: HTMLFormElement, words: string): void {
  const place = form.querySelector<HTMLElement>('[data-passkey-said]')
  const text = place?.querySelector('p')
  if (!place || !text) return
  place.hidden = words === ''
  text.textContent = words
}

/** Returns why a passkey cannot be used here; '' if it can. */
function obstacle({ dataset: { passkeyOrigin = '' } }: HTMLFormElement): string {
  if (location.origin !== passkeyOrigin) return `Passkeys work at ${passkeyOrigin} only. Open this page there.`
  const isKnown = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
  return isKnown ? '' : 'This browser does not support passkeys. Use a newer one, or another way to sign in.'
}

/** @throws a message to show to the user */
async function readOptions(path: string) {
  const answer = await fetch(path, { method: 'POST' }).catch(() => null)
  if (answer?.ok) return answer.json()
  if (answer?.status === 429) throw 'Too many attempts. Wait a minute, then try again.'
  if (answer && answer.status < 500) throw 'That took too long. Reload the page.'
  throw 'The server did not answer. Try again.'
}

async function sign(form: HTMLFormElement): Promise<Credential | null> {
  const options = await readOptions(form.dataset.passkey ?? '')
  return 'user' in options
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}

async function send(form: HTMLFormElement): Promise<void> {
  const field = form.elements.namedItem('passkey')
  const wrong = obstacle(form)
  say(form, wrong)
  if (wrong !== '' || !(field instanceof HTMLInputElement) || form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  try {
    field.value = JSON.stringify(await sign(form))
    form.submit()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    say(form, typeof error === 'string' ? error : (WORDS[name] ?? `The passkey did not work: ${error}`))
  }
  form.ariaBusy = null
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
