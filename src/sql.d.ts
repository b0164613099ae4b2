/** `import … with { type: 'text' }` imports an SQL file as a string. */
declare module '*.sql' {
  const text: string
  export default text
}
