/** Runs the action of an option. Most are links; some send a form, and one copies a text. */

/** Sends a form to the target of the link. @param field `name=value`, or '' */
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

/** Copies the server's answer. Some browsers allow that only if it begins with the click. */
async function copy(address: string): Promise<void> {
  const text = fetch(address).then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error('refused'))))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
}

/** @param say shows a message to the reader @returns false: the link is followed */
export function act(link: HTMLAnchorElement, say: (words: string) => void): boolean {
  const { sends, copies } = link.dataset
  if (sends !== undefined) {
    send(link, sends)
    return true
  }
  // Over plain http there is no clipboard, and the page of the check shows the text.
  if (copies === undefined || !navigator.clipboard) return false
  copy(copies).then(
    () => say('Copied'),
    () => location.assign(link.href),
  )
  return true
}
