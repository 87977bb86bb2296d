/** The Markdown parser makes one of these, and does not use it, since addresses without a link stay as they are. */
export class LinkifyIt {}
