/** Runs the action of an option. Most are links; some send a form, and one copies a text. */

/**
 * Submits a form to the target of the link.
 * @param field a form field as `name=value`, or ''
 */
function send(link: HTMLAnchorElement, field: string): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = link.href
  const [name = '', value = ''] = field.split('=')
  if (name) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

/** Copies the response of the server. Some browsers only allow this if the copying starts in the click handler. */
async function copy(address: string): Promise<void> {
  const text = fetch(address).then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error('refused'))))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
}

/**
 * @param say shows a message to the reader
 * @returns false if the browser should follow the link
 */
export function act(link: HTMLAnchorElement, say: (words: string) => void): boolean {
  const { sends, copies } = link.dataset
  if (sends !== undefined) {
    send(link, sends)
    return true
  }
  // Without HTTPS there is no clipboard. The link leads to the page of the check, which shows the text.
  if (copies === undefined || !navigator.clipboard) return false
  copy(copies).then(
    () => say('Copied'),
    () => location.assign(link.href),
  )
  return true
}
