package io.leasehold.harness.up;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.WebElement;

/** The basics of a page that everybody can use, looked into in the browser. */
final class PageAudit {

  /** WCAG 2.2, 1.4.3: of each text that is seen, the contrast to what is behind it. */
  private static final String LOW_CONTRASTS =
      """
      const channel = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
      const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
      const parse = (text) => {
        const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number);
        return [r, g, b, a === undefined ? 1 : a];
      };
      const over = (top, below) => {
        const a = top[3];
        return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)).concat(1);
      };
      const behind = (element) => {
        const layers = [];
        for (let e = element; e; e = e.parentElement) {
          const color = parse(getComputedStyle(e).backgroundColor);
          if (color[3] > 0) layers.push(color);
          if (color[3] === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
      };
      const opacity = (element) => {
        let all = 1;
        for (let e = element; e; e = e.parentElement) all *= Number(getComputedStyle(e).opacity);
        return all;
      };
      const low = [];
      const look = (element, text, style) => {
        const back = behind(element);
        const paint = parse(element instanceof SVGElement ? style.fill : style.color);
        paint[3] *= opacity(element);
        const [light, dark] = [luminance(over(paint, back)), luminance(back)].sort((a, b) => b - a);
        const ratio = (light + 0.05) / (dark + 0.05);
        const size = parseFloat(style.fontSize);
        const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
        if (ratio < needed) low.push(`${text}: ${ratio.toFixed(2)}`);
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        const text = walker.currentNode.data.trim();
        const style = getComputedStyle(element);
        if (!text || !element.checkVisibility() || element.closest(".unseen, script, noscript")) continue;
        look(element, text, style);
      }
      for (const input of document.querySelectorAll("input:not([type=checkbox]), select")) {
        look(input, "input " + input.name, getComputedStyle(input));
      }
      return low;
      """;

  private final Browser browser;

  PageAudit(Browser browser) {
    this.browser = browser;
  }

  /** Texts that stand out too little from what is behind them, each with its contrast. */
  List<String> lowContrasts() {
    return strings(browser.run(LOW_CONTRASTS));
  }

  /** Controls that a screen reader has no name for. */
  List<String> namelessControls() {
    List<String> nameless = new ArrayList<>();
    for (WebElement control :
        browser.findAll("button, input, select, a, [tabindex='0'], svg[role=img], article, form")) {
      if (control.isDisplayed() && isBlank(control.getAccessibleName())) {
        nameless.add(String.valueOf(control.getDomProperty("outerHTML")));
      }
    }
    return nameless;
  }

  /** Names that two buttons share, so that hearing one does not tell which it is. */
  List<String> ambiguousButtons() {
    return strings(
        browser.run(
            """
            const names = [...document.querySelectorAll('button')]
                .map((button) => button.getAttribute('aria-label') || button.textContent);
            return names.filter((name, index) => names.indexOf(name) !== index);
            """));
  }

  /**
   * Ids that are there twice, references to ids that are not there, levels of headings left out.
   */
  List<String> brokenStructure() {
    return strings(
        browser.run(
            """
            const broken = [];
            const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
            broken.push(...ids.filter((id, index) => ids.indexOf(id) !== index));
            for (const e of document.querySelectorAll('[aria-labelledby]')) {
              if (!ids.includes(e.getAttribute('aria-labelledby'))) broken.push(e.outerHTML);
            }
            let level = 0;
            for (const h of document.querySelectorAll('h1, h2, h3')) {
              const next = Number(h.tagName[1]);
              if (next > level + 1) broken.push(h.outerHTML);
              level = next;
            }
            if (!document.documentElement.lang) broken.push('no language');
            return broken;
            """));
  }

  /** What the page has to be scrolled sideways for. */
  List<String> tooWide() {
    return strings(
        browser.run(
            """
            const isTooWide = document.documentElement.scrollWidth > window.innerWidth;
            return [...document.body.querySelectorAll('*')]
                .filter((e) => isTooWide && e.getBoundingClientRect().right > window.innerWidth)
                .map((e) => e.outerHTML.slice(0, 100));
            """));
  }

  private static boolean isBlank(@Nullable String name) {
    return name == null || name.isBlank();
  }

  private static List<String> strings(@Nullable Object list) {
    return ((List<?>) requireNonNull(list)).stream().map(String::valueOf).toList();
  }
}
