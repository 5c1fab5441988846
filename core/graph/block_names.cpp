// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/op_sequence.h"

#include <algorithm>
#include <map>

namespace pim {
namespace {

using Path = std::vector<std::string_view>;

/// Path that most ops of a block share: names of a few, fused ones for instance, may differ. The part of it that is in
/// no block around (\p known parts are) needs more than half of the ops for its first word and nearly all for the others.
Path pathOf(const Graph& graph, const BlockTree& tree, const Block& block, std::size_t known) {
    constexpr double kMost = 0.5, kNearlyAll = 0.9;
    std::vector<Path> paths;
    for (std::int32_t i = block.first; i < block.end(); ++i)
        paths.push_back(namePath(graph.op(tree.order[static_cast<std::size_t>(i)]).name));
    Path shared;
    for (;;) {
        const double needed =
            (shared.size() == known ? kMost : kNearlyAll) * static_cast<double>(paths.size());
        std::map<std::string_view, int> next;
        for (const Path& path : paths)
            if (path.size() > shared.size() && std::equal(shared.begin(), shared.end(), path.begin()))
                ++next[path[shared.size()]];
        const auto most = std::max_element(next.begin(), next.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most == next.end() || most->second <= needed)
            return shared;
        shared.push_back(most->first);
    }
}

/// Without names: what kind of block it is. "Attention block", "Conv block"
std::string kindName(const Graph& graph, const BlockTree& tree, const Block& block) {
    std::map<std::string, int> types;
    OpClass weightiest = OpClass::Other;
    const auto weight = [](OpClass c) {
        return c == OpClass::Attention ? 3 : c == OpClass::Conv ? 2 : c == OpClass::MatMul ? 1 : 0;
    };
    for (std::int32_t i = block.first; i < block.end(); ++i) {
        const Op& op = graph.op(tree.order[static_cast<std::size_t>(i)]);
        ++types[op.type];
        if (weight(op.opClass) > weight(weightiest))
            weightiest = op.opClass;
    }
    switch (weightiest) {
    case OpClass::Attention:
        return "Attention block";
    case OpClass::Conv:
        return "Conv block";
    case OpClass::MatMul:
        return "MatMul block";
    default:
        break;
    }
    return std::max_element(types.begin(), types.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
               ->first +
           " block";
}

/// "layers" of "layers.3"; all of it where nothing is counted.
std::string withoutNumber(const std::string& name) {
    const std::size_t end = name.find_last_not_of("0123456789");
    if (end == std::string::npos || end + 1 == name.size())
        return name;
    const std::size_t last = name.find_last_not_of("._- ", end);
    return last == std::string::npos ? name : name.substr(0, last + 1);
}

} // namespace

Path namePath(std::string_view name) {
    const char separator = name.find('/') != std::string_view::npos ? '/' : '.';
    Path path;
    std::size_t begin = 0;
    for (std::size_t end; (end = name.find(separator, begin)) != std::string_view::npos; begin = end + 1)
        if (end > begin)
            path.push_back(name.substr(begin, end - begin));
    return path; // what is behind the last separator is the op itself
}

void nameBlocks(const Graph& graph, BlockTree& tree) {
    const std::size_t count = tree.blocks.size();
    std::vector<Path> paths(count);
    for (std::size_t i = 0; i < count; ++i) {
        Block& block = tree.blocks[i];
        if (block.isRow)
            continue;
        // A row stands for no name of its own: what its parts are in is what it is in.
        std::int32_t around = block.parent;
        while (around >= 0 && tree.blocks[static_cast<std::size_t>(around)].isRow)
            around = tree.blocks[static_cast<std::size_t>(around)].parent;
        const std::size_t known = around >= 0 ? paths[static_cast<std::size_t>(around)].size() : 0;
        paths[i] = pathOf(graph, tree, block, known);
        for (std::size_t k = known; k < paths[i].size(); ++k)
            block.name += (k > known ? "/" : "") + std::string(paths[i][k]);
    }
    // Names are of use only if they tell siblings apart.
    std::map<std::pair<std::int32_t, std::string>, int> used;
    for (const Block& block : tree.blocks)
        if (!block.isRow)
            ++used[{block.parent, block.name}];
    std::map<std::pair<std::int32_t, std::string>, int> alike;
    std::vector<Block*> numbered;
    for (Block& block : tree.blocks) {
        if (block.isRow || (!block.name.empty() && used[{block.parent, block.name}] == 1))
            continue;
        if (block.name.empty())
            block.name = kindName(graph, tree, block);
        ++alike[{block.parent, block.name}];
        numbered.push_back(&block);
    }
    std::map<std::pair<std::int32_t, std::string>, int> given;
    for (Block* block : numbered)
        if (const std::pair key{block->parent, block->name}; alike[key] > 1 || used[key] > 0)
            block->name += " " + std::to_string(++given[key]);
    for (std::size_t i = 0; i < count; ++i) {
        Block& row = tree.blocks[i];
        if (!row.isRow)
            continue;
        std::int32_t parts = 0;
        std::string name;
        for (std::size_t k = i + 1; k < count; ++k)
            if (tree.blocks[k].parent == static_cast<std::int32_t>(i)) {
                if (parts++ == 0)
                    name = withoutNumber(tree.blocks[k].name);
            } else if (tree.blocks[k].first >= row.end()) {
                break;
            }
        row.name = std::to_string(parts) + " × " + name;
    }
}

} // namespace pim
