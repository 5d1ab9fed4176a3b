// Letters that are written with an accent behind them, as one character each (Unicode's canonical
// composition, of the Latin, Greek and Cyrillic letters). Systems differ in which of the two they
// write.
#include <algorithm>
#include <array>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

struct Accent {
  char32_t mark;
  std::u32string_view letters, composed;  // in the same order
};

constexpr std::array<Accent, 25> kAccents = {{
    {U'\u0300', U"AEIOUaeiouÜüNnЕИеиĒēŌōWwÂâĂăÊêÔôƠơƯưYy",
     U"ÀÈÌÒÙàèìòùǛǜǸǹЀЍѐѝḔḕṐṑẀẁẦầẰằỀềỒồỜờỪừỲỳ"},
    {U'\u0301',
     U"AEIOUYaeiouyCcLlNnRrSsZzÜüGgÅåÆæØø¨ΑΕΗΙΟΥΩϊαεηιϋουωϒГКгкÇçĒēÏïKkMmÕõŌōPpŨũWwÂâ"
     U"ĂăÊêÔôƠơƯư",
     U"ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹźǗǘǴǵǺǻǼǽǾǿ΅ΆΈΉΊΌΎΏΐάέήίΰόύώϓЃЌѓќḈḉḖḗḮḯḰḱḾḿṌṍṒṓṔṕṸṹẂẃẤấ"
     U"ẮắẾếỐốỚớỨứ"},
    {U'\u0302', U"AEIOUaeiouCcGgHhJjSsWwYyZzẠạẸẹỌọ", U"ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷẐẑẬậỆệỘộ"},
    {U'\u0303', U"ANOanoIiUuVvÂâĂăEeÊêÔôƠơƯưYy", U"ÃÑÕãñõĨĩŨũṼṽẪẫẴẵẼẽỄễỖỗỠỡỮữỸỹ"},
    {U'\u0304', U"AaEeIiOoUuÜüÄäȦȧÆæǪǫÖöÕõȮȯYyИиУуGgḶḷṚṛ",
     U"ĀāĒēĪīŌōŪūǕǖǞǟǠǡǢǣǬǭȪȫȬȭȰȱȲȳӢӣӮӯḠḡḸḹṜṝ"},
    {U'\u0306', U"AaEeGgIiOoUuУИиуЖжАаЕеȨȩẠạ", U"ĂăĔĕĞğĬĭŎŏŬŭЎЙйўӁӂӐӑӖӗḜḝẶặ"},
    {U'\u0307', U"CcEeGgIZzAaOoBbDdFfHhMmNnPpRrSsŚśŠšṢṣTtWwXxYyſ",
     U"ĊċĖėĠġİŻżȦȧȮȯḂḃḊḋḞḟḢḣṀṁṄṅṖṗṘṙṠṡṤṥṦṧṨṩṪṫẆẇẊẋẎẏẛ"},
    {U'\u0308', U"AEIOUaeiouyYΙΥιυϒЕІеіАаӘәЖжЗзИиОоӨөЭэУуЧчЫыHhÕõŪūWwXxt",
     U"ÄËÏÖÜäëïöüÿŸΪΫϊϋϔЁЇёїӒӓӚӛӜӝӞӟӤӥӦӧӪӫӬӭӰӱӴӵӸӹḦḧṎṏṺṻẄẅẌẍẗ"},
    {U'\u0309', U"AaÂâĂăEeÊêIiOoÔôƠơUuƯưYy", U"ẢảẨẩẲẳẺẻỂểỈỉỎỏỔổỞởỦủỬửỶỷ"},
    {U'\u030A', U"AaUuwy", U"ÅåŮůẘẙ"},
    {U'\u030B', U"OoUuУу", U"ŐőŰűӲӳ"},
    {U'\u030C', U"CcDdEeLlNnRrSsTtZzAaIiOoUuÜüGgKkƷʒjHh", U"ČčĎďĚěĽľŇňŘřŠšŤťŽžǍǎǏǐǑǒǓǔǙǚǦǧǨǩǮǯǰȞȟ"},
    {U'\u030F', U"AaEeIiOoRrUuѴѵ", U"ȀȁȄȅȈȉȌȍȐȑȔȕѶѷ"},
    {U'\u0311', U"AaEeIiOoRrUu", U"ȂȃȆȇȊȋȎȏȒȓȖȗ"},
    {U'\u031B', U"OoUu", U"ƠơƯư"},
    {U'\u0323', U"BbDdHhKkLlMmNnRrSsTtVvWwZzAaEeIiOoƠơUuƯưYy",
     U"ḄḅḌḍḤḥḲḳḶḷṂṃṆṇṚṛṢṣṬṭṾṿẈẉẒẓẠạẸẹỊịỌọỢợỤụỰựỴỵ"},
    {U'\u0324', U"Uu", U"Ṳṳ"},
    {U'\u0325', U"Aa", U"Ḁḁ"},
    {U'\u0326', U"SsTt", U"ȘșȚț"},
    {U'\u0327', U"CcGgKkLlNnRrSsTtEeDdHh", U"ÇçĢģĶķĻļŅņŖŗŞşŢţȨȩḐḑḨḩ"},
    {U'\u0328', U"AaEeIiUuOo", U"ĄąĘęĮįŲųǪǫ"},
    {U'\u032D', U"DdEeLlNnTtUu", U"ḒḓḘḙḼḽṊṋṰṱṶṷ"},
    {U'\u032E', U"Hh", U"Ḫḫ"},
    {U'\u0330', U"EeIiUu", U"ḚḛḬḭṴṵ"},
    {U'\u0331', U"BbDdKkLlNnRrTtZzh", U"ḆḇḎḏḴḵḺḻṈṉṞṟṮṯẔẕẖ"},
}};

char32_t composed(char32_t letter, char32_t mark) {
  const auto accent = std::ranges::find(kAccents, mark, &Accent::mark);
  if (accent == kAccents.end()) return 0;
  const auto at = accent->letters.find(letter);
  return at == std::u32string_view::npos ? 0 : accent->composed[at];
}

}  // namespace

std::string composed(std::string_view text) {
  const bool has_accents = text.find_first_of("\xCC\xCD") != std::string_view::npos;
  if (!has_accents || !is_utf8(text)) return std::string(text);
  std::u32string letters;
  for (const char32_t point : config::code_points(text)) {
    const char32_t one = letters.empty() ? 0 : composed(letters.back(), point);
    one == 0 ? letters.push_back(point) : void(letters.back() = one);
  }
  return config::utf8_of(letters);
}

}  // namespace surveybridge::mapping
